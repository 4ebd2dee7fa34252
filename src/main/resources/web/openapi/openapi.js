// Shows the contract of this node. Nothing is asked of other servers: no validator, no link to a file elsewhere.
SwaggerUIBundle({
  dom_id: '#contract',
  url: '/openapi.json',
  validatorUrl: null,
  deepLinking: true,
  displayRequestDuration: true,
  persistAuthorization: false,
});
