from django.apps import AppConfig

from web import bodies


class AccountsConfig(AppConfig):
    name = "accounts"

    def ready(self) -> None:
        # They need the models, which are not there while this module is read.
        from accounts import auth_log, body_bytes, notification_types, receivers  # noqa: F401

        notification_types.register()
        bodies.count_with(body_bytes.hold)
