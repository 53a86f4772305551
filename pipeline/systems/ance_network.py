"""The network of ANCE: what its head makes of the first token stands as the pooler's output."""

from typing import Any


class AnceNetwork:
    """RoBERTa under a linear layer and a layer norm, named as the published weights name them."""

    @staticmethod
    def from_pretrained(*names: Any, **options: Any) -> Any:  # noqa: ANN401
        """Load it as transformers loads its own classes."""
        return _network().from_pretrained(*names, **options)


def _network() -> Any:  # noqa: ANN401
    from torch import nn  # noqa: PLC0415
    from transformers import RobertaModel, RobertaPreTrainedModel  # noqa: PLC0415
    from transformers.modeling_outputs import (  # noqa: PLC0415
        BaseModelOutputWithPooling,
    )

    class Network(RobertaPreTrainedModel):  # type: ignore[misc]
        def __init__(self, config: Any) -> None:  # noqa: ANN401
            super().__init__(config)
            self.roberta = RobertaModel(config, add_pooling_layer=False)
            self.embeddingHead = nn.Linear(config.hidden_size, config.hidden_size)
            self.norm = nn.LayerNorm(config.hidden_size)
            self.post_init()

        def forward(self, **inputs: Any) -> Any:  # noqa: ANN401
            hidden = self.roberta(**inputs).last_hidden_state
            head = self.norm(self.embeddingHead(hidden[:, 0]))
            return BaseModelOutputWithPooling(last_hidden_state=hidden, pooler_output=head)

    return Network
