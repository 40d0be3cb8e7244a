"""The environments: adapters over the engine, without a rule of their own."""
