import { Type } from 'typebox'

export const HealthSchema = Type.Object({ status: Type.Literal('ok') }, { description: 'The process answers.' })

export const ReadinessSchema = Type.Object({ status: Type.Literal('ready') }, { description: 'It takes requests.' })
