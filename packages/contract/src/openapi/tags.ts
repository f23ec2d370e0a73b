export const tags = [
  {
    name: 'Tasks',
    description: 'The model-center interface: one collection of tasks for every model. Submit, poll until the end, download.',
  },
  {
    name: 'Videos',
    description:
      'The v1 interface: one collection for each video family. The same tasks, models and parameters as in the model-center ' +
      'interface; answers also have `seconds`. A task made by one interface can be read by the other.',
  },
  { name: 'Models', description: 'The catalogue: Model IDs, parameters as JSON Schema, prices.' },
  { name: 'Assets', description: 'Pictures that the account keeps, so that tasks can name them as `asset:ID`.' },
  { name: 'Credits', description: 'What the account can spend.' },
  { name: 'Operation', description: 'For the operator of the service: needs the scope `admin`.' },
  { name: 'Results', description: 'The files that tasks have made, and those of assets.' },
  { name: 'Service', description: 'About the service itself.' },
] as const

export type TagName = (typeof tags)[number]['name']
