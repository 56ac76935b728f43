"""Two-step sign-in: codes from an app, passkeys, recovery codes; the adapter to allauth's part."""
