export const tags = [
  {
    name: 'Tasks',
    description: 'The v2 API: one collection of tasks for all models. Submit a task, poll until it ends, download the result.',
  },
  {
    name: 'Videos',
    description:
      'The v1 API: one collection for each family of video models. It has the same tasks, models and parameters as the ' +
      'v2 API. Responses also have `seconds`. A task that was submitted through one API can be queried through the ' +
      'other.',
  },
  {
    name: 'OpenAI',
    description:
      "Videos, images and models in the form of OpenAI's API, for OpenAI's clients. Their base URL is the base URL of " +
      'this service with `/v1`. Each video and each image is a task.',
  },
  { name: 'Models', description: 'The catalogue: Model IDs, parameters as JSON Schema, prices.' },
  {
    name: 'Assets',
    description: 'Images, videos and sound that the account has uploaded. Tasks refer to an asset as `asset:ID`.',
  },
  {
    name: 'Webhooks',
    description: 'Addresses that receive the events of the account, signed, as soon as they happen.',
  },
  { name: 'Credits', description: 'The balance, ledger and usage of the account.' },
  { name: 'Operation', description: 'For the operator of the service. These endpoints need the scope `admin`.' },
  { name: 'Results', description: 'The files of results and assets.' },
  { name: 'Service', description: 'Health, metrics and description of the service.' },
] as const

export type TagName = (typeof tags)[number]['name']
