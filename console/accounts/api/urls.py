"""URLs of accounts under /api/v1/: session, me, users, API tokens."""

from django.urls import path

from console.accounts.api import session_views, views

urlpatterns = [
    path("session/", session_views.SessionApi.as_view(), name="session"),
    path("me/", session_views.MeApi.as_view(), name="me"),
    path("me/password/", session_views.MePasswordApi.as_view(), name="me-password"),
    path("users/", views.UserListApi.as_view(), name="user-list"),
    path("users/<uuid:pk>/", views.UserDetailApi.as_view(), name="user-detail"),
    path("users/<uuid:pk>/deactivate/", views.UserDeactivateApi.as_view(), name="user-deactivate"),
    path("users/<uuid:pk>/activate/", views.UserActivateApi.as_view(), name="user-activate"),
    path("users/<uuid:pk>/password/", views.UserPasswordResetApi.as_view(), name="user-password"),
    path("api-tokens/", views.ApiTokenListApi.as_view(), name="api-token-list"),
    path("api-tokens/<uuid:pk>/", views.ApiTokenDetailApi.as_view(), name="api-token-detail"),
    path(
        "api-tokens/<uuid:pk>/revoke/", views.ApiTokenRevokeApi.as_view(), name="api-token-revoke"
    ),
]
