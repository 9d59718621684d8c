"""The description of the API for programs by OpenAPI 3.1 (https://spec.openapis.org/oas/v3.1.0)."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.metadata import version
from typing import Any

from review_app.rest_operation import Operation, Parameter
from review_app.rest_schemas import ERROR
from store.rights import IN_WORDS

REFUSALS = {
    401: "The key is missing, unknown, expired or revoked.",
    403: "The person of the key may not do this.",
    404: "There is nothing of this number.",
    409: "Not now: the person keys a table from the page alone.",
    413: "The body is too large.",
    422: "A part of the request cannot be read, or nothing of a file could be stored.",
    503: "The database cannot be used now; try again.",
}


def described(operations: Iterable[Operation]) -> dict[str, Any]:
    """The description as plain values."""
    paths: dict[str, dict[str, Any]] = {}
    for operation in operations:
        paths.setdefault(operation.path, {})[operation.method.lower()] = _described(operation)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Proofgrid",
            "version": version("proofgrid"),
            "description": "Documents, extractions, gold and scores. Each request acts as the person of its key.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "/"}],
        "security": [{"key": []}],
        "paths": paths,
        "components": {
            "securitySchemes": {"key": {"type": "http", "scheme": "bearer", "description": "from proofgrid keys make"}},
            "schemas": {"Error": ERROR},
        },
    }


def _described(operation: Operation) -> dict[str, Any]:
    told: dict[str, Any] = {
        "operationId": operation.name,
        "summary": operation.summary,
        "description": f"Needs the right to {IN_WORDS[operation.right]}.",
        "parameters": [_parameter(operation, each) for each in operation.parameters],
        "responses": {"200": {"description": "The answer", "content": _content(operation)}, **_refusals(operation)},
    }
    if operation.largest_body:
        anything = {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}
        told["requestBody"] = {"required": True, "description": "The bytes of the file", "content": anything}
    return told


def _content(operation: Operation) -> dict[str, Any]:
    if operation.answer is None:
        return {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}
    return {"application/json": {"schema": operation.answer}}


def _refusals(operation: Operation) -> dict[str, Any]:
    error = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    return {
        str(status): {"description": meaning, "content": error}
        for status, meaning in REFUSALS.items()
        if status != 413 or operation.largest_body
    }


def _parameter(operation: Operation, parameter: Parameter) -> dict[str, Any]:
    if parameter.kind == "number":
        schema: dict[str, Any] = {"type": "integer", "minimum": parameter.least, "maximum": parameter.most}
    else:
        schema = {"type": "string", "maxLength": parameter.most}
    if parameter.otherwise is not None:
        schema["default"] = parameter.otherwise
    return {
        "name": parameter.name,
        "in": "path" if operation.is_in_path(parameter) else "query",
        "required": parameter.required,
        "description": parameter.meaning,
        "schema": schema,
    }
