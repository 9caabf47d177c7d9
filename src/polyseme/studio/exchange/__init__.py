"""Export and import of studies, and folders in the formats of other tools."""
