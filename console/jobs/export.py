"""A whole job as one file: JSON with everything, or CSV with a line per sample. Streams."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder

from console.accounts.actors import Actor
from console.core import csv
from console.jobs.api.serializers import JobOutput, RunOutput, SampleOutput
from console.jobs.models import Job
from console.jobs.selectors import run_list, sample_list

_CHUNK = 1000


def job_as_csv(*, actor: Actor, job: Job) -> Iterator[bytes]:
    """Yield all samples of `job`, one line each, by run and in the order they were measured."""
    samples = sample_list(actor=actor).filter(run__job=job).order_by("run", "position", "id")
    columns = csv.columns_of(SampleOutput())
    return csv.lines(columns, _serialised(samples.iterator(chunk_size=_CHUNK)))


def _serialised(samples: Iterable[Any]) -> Iterator[list[Any]]:
    chunk: list[Any] = []
    for sample in samples:
        chunk.append(SampleOutput(sample).data)
        if len(chunk) == _CHUNK:
            yield chunk
            chunk = []
    yield chunk


def job_as_json(*, actor: Actor, job: Job, context: dict[str, Any]) -> Iterator[bytes]:
    """Yield `{"job": …, "runs": [{…, "samples": [...]}, …]}`, a run at a time."""
    yield b'{"job":' + _dump(JobOutput(job, context=context).data) + b',"runs":['
    runs = run_list(actor=actor).filter(job=job).order_by("host__name")
    for number, run in enumerate(runs.iterator(chunk_size=50)):
        data = dict(RunOutput(run, context=context).data)
        samples = sample_list(actor=actor).filter(run=run).order_by("position", "id")
        data["samples"] = SampleOutput(samples, many=True).data
        yield (b"," if number else b"") + _dump(data)
    yield b"]}"


def _dump(data: Any) -> bytes:
    text = json.dumps(data, cls=DjangoJSONEncoder, ensure_ascii=False, separators=(",", ":"))
    return text.encode()
