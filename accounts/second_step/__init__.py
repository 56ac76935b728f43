"""The second step of signing in: codes from an app, passkeys, recovery codes. How allauth's part for it meets this site."""
