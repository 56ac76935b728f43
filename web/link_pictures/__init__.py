"""Pictures that other sites show next to a link: how they are drawn, stored and served.

Apps declare theirs by `kinds.register`; what a picture shows is what a stranger may see of the page.
"""
