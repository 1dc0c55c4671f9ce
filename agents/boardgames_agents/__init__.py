"""Agents, training and tournaments for boardgames_env, and the command line `boardgames`."""

from boardgames_agents.registry import make_agent

__all__ = ["make_agent"]
