"""Parameters of the extractor http for services whose answers are read, as their published documentation has them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any


def _azure(model: str) -> dict[str, Any]:
    # learn.microsoft.com/rest/api/aiservices/document-models/analyze-document
    return {
        "url": "${AZURE_DOCUMENT_INTELLIGENCE_ENDPOINT}/documentintelligence/documentModels/"
        f"{model}:analyze?api-version=2024-11-30",
        "name": f"azure {model}",
        "version": "2024-11-30",
        "headers": {"Ocp-Apim-Subscription-Key": "${AZURE_DOCUMENT_INTELLIGENCE_API_KEY}"},
        "poll": "operation-location",
    }


PRESETS: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        "azure-layout": _azure("prebuilt-layout"),
        "azure-invoice": _azure("prebuilt-invoice"),
        # cloud.google.com/document-ai/docs/send-request; the processor is the address up to its id.
        "google-docai": {
            "url": "${GOOGLE_DOCAI_PROCESSOR}:process",
            "name": "google document ai",
            "headers": {"Authorization": "Bearer ${GOOGLE_ACCESS_TOKEN}"},
            "upload": "base64",
            "body": {"rawDocument": {"content": "{base64}", "mimeType": "{media_type}"}, "skipHumanReview": True},
        },
        # developers.llamaindex.ai/llamaparse/parse/guides/api-reference
        "llamaparse": {
            "url": "https://api.cloud.llamaindex.ai/api/v2/parse/upload",
            "name": "llamaparse",
            "version": "agentic",
            "headers": {"Authorization": "Bearer ${LLAMA_CLOUD_API_KEY}"},
            "upload": "multipart",
            "fields": {"configuration": '{"tier": "agentic", "version": "latest"}'},
            "poll": "https://api.cloud.llamaindex.ai/api/v2/parse/{/id}?expand=items,metadata",
            "status": "/job/status",
        },
        # docs.mistral.ai/api, POST /v1/ocr
        "mistral-ocr": {
            "url": "https://api.mistral.ai/v1/ocr",
            "name": "mistral-ocr",
            "version": "latest",
            "headers": {"Authorization": "Bearer ${MISTRAL_API_KEY}"},
            "upload": "base64",
            "body": {
                "model": "mistral-ocr-latest",
                "document": {"type": "document_url", "document_url": "data:{media_type};base64,{base64}"},
                "table_format": "html",
                "include_image_base64": False,
            },
        },
        # github.com/docling-project/docling-serve, docs/usage.md; on your own machine unless url says otherwise.
        "docling-serve": {
            "url": "http://127.0.0.1:5001/v1/convert/file",
            "name": "docling-serve",
            "upload": "multipart",
            "field": "files",
            "fields": {"to_formats": "json", "image_export_mode": "placeholder", "table_mode": "accurate"},
            "timeout_s": 600.0,
        },
    }
)
