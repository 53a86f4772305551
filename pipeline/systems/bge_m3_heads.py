"""The layers that BGE-M3 has for words and for tokens, in files beside its network."""

from typing import Any

from pipeline.systems.checkpoints import Weights, placed


def head_of(weights: Weights, file: str) -> Any:  # noqa: ANN401
    """The linear layer of ``sparse_linear.pt`` or ``colbert_linear.pt``, ready to be applied."""
    import torch  # noqa: PLC0415

    path = weights.file(file)
    with weights.explained():
        state = torch.load(path, map_location="cpu", weights_only=True)
    out, dimensions = state["weight"].shape
    layer = torch.nn.Linear(dimensions, out)
    layer.load_state_dict(state)
    return layer.to(placed(weights.device), getattr(torch, weights.dtype)).requires_grad_(False)
