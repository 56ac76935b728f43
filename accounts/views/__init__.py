"""The pages under /you/, and what a browser needs to install the site."""
