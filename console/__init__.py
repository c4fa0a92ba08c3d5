"""The Keyrack console: Django project and apps."""
