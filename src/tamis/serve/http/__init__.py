"""HTTP: routes and middleware, requests and responses, OpenAPI, connections, who may come in."""
