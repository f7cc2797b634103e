"""Manifests in: utterances with their references, speakers and audio hashes."""
