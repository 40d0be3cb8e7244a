"""The table in a browser: its server runs in Pyodide, in the page itself."""
