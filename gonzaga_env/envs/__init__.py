"""The environments: adapters around the engines, without rules of their own."""
