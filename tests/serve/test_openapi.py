"""The service conforms to its OpenAPI document: schemathesis makes valid and invalid requests."""

import json
import re
import socket

import pytest
import schemathesis
from aiohttp.abc import AbstractResolver
from hypothesis import HealthCheck, assume, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import positive_data_acceptance

from tests.serve.loopback import loopback_settings, serving

pytestmark = pytest.mark.slow  # processes

#: Operations without invalid requests; a batch reports an invalid line in a line.
WITHOUT_INVALID_REQUESTS = {
    "GET /",
    "GET /docs",
    "GET /settings",
    "GET /favicon.ico",
    "GET /readyz",
    "GET /{url}",
    "GET /healthz",
    "GET /metrics",
    "POST /explain",
    "GET /openapi.json",
    "GET /v1/extractors",
    "POST /v1/batch",
    "POST /read",
}


@schemathesis.serializer("application/x-ndjson")
def lines(_, value):
    return "".join(json.dumps(line) + "\n" for line in value).encode()


class NoResolver(AbstractResolver):
    """Resolves no name, so that no made-up URL leaves this machine."""

    async def resolve(self, host, port=0, family=socket.AF_INET):  # noqa: ARG002 (aiohttp's)
        raise OSError(f"no such name: {host}")

    async def close(self):
        pass


@pytest.fixture(scope="module")
def api():
    with serving(loopback_settings(80, 443, max_requests=64), resolver=NoResolver()) as base:
        yield schemathesis.openapi.from_url(f"{base}/openapi.json")


@pytest.mark.parametrize("mode", list(GenerationMode), ids=lambda mode: mode.value)
def test_the_service_conforms_to_its_openapi_document(api, mode):
    operations = [result.ok() for result in api.get_all_operations()]
    assert {"/v1/extract", "/v1/batch", "/read"} <= {operation.path for operation in operations}
    for operation in operations:

        @given(case=operation.as_strategy(generation_mode=mode))
        @settings(
            max_examples=25 if operation.body or len(operation.query) > 3 else 8,  # few values, few examples
            deadline=None,
            derandomize=True,
            database=None,
            suppress_health_check=list(HealthCheck),
        )
        def check(case):
            # Any bytes are a page, so a body that is a page cannot be wrong.
            assume(mode is GenerationMode.POSITIVE or case.media_type in {None, "application/json"})
            response = case.call()
            # Pages that cannot be fetched are a documented 502, and only the service knows which URLs are valid.
            case.validate_response(response, excluded_checks=[not_a_server_error, positive_data_acceptance])
            assert response.status_code not in {500, 501, 505}
            if mode is GenerationMode.POSITIVE and response.status_code == 400:
                expected = r"URL|[Pp]ort|extractor|favo|selector|header|render|form|http|Overlap"
                assert re.search(expected, response.text), response.text

        if mode is GenerationMode.POSITIVE or operation.label not in WITHOUT_INVALID_REQUESTS:
            check()
