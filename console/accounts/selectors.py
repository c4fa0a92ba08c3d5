"""Reads of users and API tokens, narrowed to what the actor may see."""

from django.db.models import Count, Q, QuerySet
from django.utils import timezone

from console.accounts.actors import Actor
from console.accounts.models import ApiToken, User
from console.accounts.policies import can
from console.core.credentials import credential_digest


def user_list(*, actor: Actor) -> QuerySet[User]:
    """Return the users that `actor` may see: all for administrators, else the actor's own."""
    good = Q(api_tokens__revoked_at=None) & (
        Q(api_tokens__expires_at=None) | Q(api_tokens__expires_at__gt=timezone.now())
    )
    rows = User.objects.annotate(api_token_count=Count("api_tokens", filter=good))
    return rows if can(actor, "user.manage") else rows.filter(pk__in=[actor.user_id])


def api_token_list(*, actor: Actor) -> QuerySet[ApiToken]:
    """Return the API tokens that `actor` may see: all for administrators, else the actor's own."""
    rows = ApiToken.objects.select_related("user")
    return rows if can(actor, "user.manage") else rows.filter(user_id__in=[actor.user_id])


def api_token_find(secret: str) -> ApiToken | None:
    """Return the token whose secret this is, good or not; None when there is none."""
    digest = credential_digest(secret)
    return ApiToken.objects.select_related("user").filter(digest=digest).first()
