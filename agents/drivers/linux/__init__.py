"""The Linux driver: one small module per kind of resource."""
