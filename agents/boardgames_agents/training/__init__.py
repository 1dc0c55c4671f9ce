"""Self-play training: `train(settings_for(game), folder)`. Needs the extra `train`.

settings.py is what decides a run, run.py the run itself; network.py what learns, league.py who it plays, imitation.py
what it may learn first, evaluation.py and rating.py how its versions are measured, folder.py the files that are left.
"""

from boardgames_agents.training.folder import (
    CHECKPOINT,
    CURVE,
    PICTURE,
    POLICY,
    SETTINGS,
    TrainingError,
    plot_curve,
    stored_settings,
)
from boardgames_agents.training.run import Progress, train
from boardgames_agents.training.settings import Settings, changed, settings_for

__all__ = [
    "CHECKPOINT",
    "CURVE",
    "PICTURE",
    "POLICY",
    "SETTINGS",
    "Progress",
    "Settings",
    "TrainingError",
    "changed",
    "plot_curve",
    "settings_for",
    "stored_settings",
    "train",
]
