from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "accounts"

    def ready(self) -> None:
        # They need the models, which are not there while this module is read.
        from accounts import auth_log, receivers  # noqa: F401
