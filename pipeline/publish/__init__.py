"""Carries a release to where others find it: a dataset repository of the Hub, or a folder.

Nothing is remembered between two runs. Each looks at what is there, takes the one step that is
missing, and looks again (`steps`), so that a failure at any point is mended by the same command.
"""
