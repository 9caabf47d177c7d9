"""The database of a study: tables, transactions, accounts."""
