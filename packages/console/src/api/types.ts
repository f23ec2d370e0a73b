import type { Model, Task } from '@framegate/contract'

export type { Asset, Model, ParameterSchema, Quote, Task, TaskStatus, Timeline } from '@framegate/contract'
export type ModelType = Model['type']
export type ModelPrice = Model['price']
export type TaskResult = NonNullable<Task['results']>[number]
