"""`python -m web.server`: the web server, as processes and service files start it."""

from web.server.uvicorn_server import main

main()
