export const tags = [
  {
    name: 'Tasks',
    description: 'The v2 API: one collection of tasks for all models. Submit a task, poll until it ends, download the result.',
  },
  {
    name: 'Videos',
    description:
      'The v1 API: one collection for each family of video models. Tasks, models and parameters are the same as in the v2 API, ' +
      'and responses also have `seconds`. A task that was submitted through one API can be queried through the other.',
  },
  {
    name: 'OpenAI',
    description:
      "OpenAI-compatible endpoints, for OpenAI's clients. Set the base URL of the client to the base URL of this " +
      'service plus `/v1`. Each video and each image is a task.',
  },
  { name: 'Models', description: 'The catalogue: Model IDs, parameters as JSON Schema, prices.' },
  {
    name: 'Assets',
    description: 'Images, videos and sound that the account has uploaded. Tasks refer to an asset as `asset:ID`.',
  },
  {
    name: 'Webhooks',
    description: 'Addresses to which the service sends signed events of the account as soon as they occur.',
  },
  { name: 'Credits', description: 'The balance, ledger and usage of the account.' },
  { name: 'Operation', description: "The operator's API. These endpoints need the scope `admin`." },
  { name: 'Results', description: 'The files of results and assets.' },
  { name: 'Service', description: 'Health checks, metrics and the OpenAPI document.' },
] as const

export type TagName = (typeof tags)[number]['name']
