"""How the overview and search results look in the API."""

from typing import Any

from rest_framework import serializers

from console.changes.api.serializers import PauseOutput
from console.fleet.api.serializers import HostBrief
from console.jobs.enums import JobState, Verdict
from console.overview.search import KINDS


class FigureCountOutput(serializers.Serializer[Any]):
    """A number with the list behind it: GET /api/v1/`list`/ with `query`."""

    key = serializers.CharField()
    count = serializers.IntegerField()
    list = serializers.CharField()
    query = serializers.DictField(child=serializers.CharField())


class UnitStripOutput(serializers.Serializer[Any]):
    """Crypto units of one kind, by what they do."""

    kind = serializers.CharField()
    total = FigureCountOutput()
    assigned = FigureCountOutput()
    free = FigureCountOutput()
    faulty = FigureCountOutput()
    simulated = FigureCountOutput()


class SpeedupOutput(serializers.Serializer[Any]):
    """One measured cell in short: how many times faster, with its 95 % interval."""

    cell = serializers.CharField()
    algorithm = serializers.CharField()
    input_bytes = serializers.IntegerField(allow_null=True)
    operation = serializers.CharField()
    ratio = serializers.FloatField()
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)
    verdict = serializers.ChoiceField(choices=Verdict.choices)
    is_negative_control = serializers.BooleanField()


class RecentJobOutput(serializers.Serializer[Any]):
    """One of the last jobs."""

    id = serializers.UUIDField(source="job.id")
    name = serializers.CharField(source="job.name")
    workload = serializers.CharField(source="job.workload")
    state = serializers.ChoiceField(source="job.state", choices=JobState.choices)
    created_at = serializers.DateTimeField(source="job.created_at")
    hosts_total = serializers.IntegerField(source="job.hosts_total")
    comparisons = SpeedupOutput(many=True)


class OverviewOutput(serializers.Serializer[Any]):
    """What needs a person now, and the fleet in one strip."""

    at = serializers.DateTimeField()
    hosts = FigureCountOutput(many=True, help_text="By state.")
    simulated_hosts = FigureCountOutput()
    units = UnitStripOutput(many=True)
    token_pins = FigureCountOutput(many=True, help_text="User PINs locked or nearly so.")
    certificates = FigureCountOutput(many=True, help_text="Expired, and about to expire.")
    findings = FigureCountOutput(many=True, help_text="Open and not acknowledged, by severity.")
    changes = FigureCountOutput(many=True, help_text="By what they need of a person.")
    drift = FigureCountOutput(many=True, help_text="Hosts and parts not as changes left them.")
    change_pause = PauseOutput(help_text="Whether all applies are held back.")
    failed_runs = FigureCountOutput(help_text="Failed, errored or lost in the last seven days.")
    recent_jobs = RecentJobOutput(many=True)


class HitOutput(serializers.Serializer[Any]):
    """One match of a search."""

    kind = serializers.ChoiceField(choices=KINDS)
    id = serializers.UUIDField()
    title = serializers.CharField()
    subtitle = serializers.CharField()
    host = HostBrief(allow_null=True)


class HitGroupOutput(serializers.Serializer[Any]):
    """The first matches of one kind."""

    kind = serializers.ChoiceField(choices=KINDS)
    has_more = serializers.BooleanField()
    results = HitOutput(many=True)


class SearchOutput(serializers.Serializer[Any]):
    """What a search found, kind by kind; kinds without a match are left out."""

    query = serializers.CharField()
    groups = HitGroupOutput(many=True)
