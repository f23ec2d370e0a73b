import { Type } from 'typebox'

export const HealthSchema = Type.Object({ status: Type.Literal('ok') }, { description: 'The process responds.' })

export const ReadinessSchema = Type.Object({ status: Type.Literal('ready') }, { description: 'The process accepts requests.' })
