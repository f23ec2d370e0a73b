export const tags = [
  {
    name: 'Tasks',
    description:
      'The model-center interface: one collection of tasks for all models. Submit a task, poll until it ends, download the ' +
      'result.',
  },
  {
    name: 'Videos',
    description:
      'The v1 interface: one collection for each video family. It has the same tasks, models and parameters as the ' +
      'model-center interface. Responses also have `seconds`. A task submitted through one interface can be read through the ' +
      'other.',
  },
  {
    name: 'OpenAI',
    description:
      "Videos, images and models in the form of OpenAI's API, for clients that are made for it: their base URL is that of " +
      'this service with `/v1`. Behind each video and image is a task.',
  },
  { name: 'Models', description: 'The catalogue: Model IDs, parameters as JSON Schema, prices.' },
  { name: 'Assets', description: 'Images, videos and sound that the account keeps. Tasks refer to them as `asset:ID`.' },
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
