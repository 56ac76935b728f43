"""Pages under /you/, and the files with which a browser installs the site."""
