import type {
  Asset as ContractAsset,
  CreditEntry as ContractCreditEntry,
  Credits as ContractCredits,
  DeletedAsset as ContractDeletedAsset,
  Task as ContractTask,
  Quote as ContractQuote,
  Simulation as ContractSimulation,
  UsageReport as ContractUsageReport,
  List,
} from '@framegate/contract'
import type * as contract from '@framegate/contract'
import { expect, expectTypeOf, it } from 'vitest'
import {
  Framegate,
  type FailureCode,
  type FramegateError,
  type KnownModel,
  type MediaInput,
  type TaskRequest,
} from '../src/index.ts'
import type { Balance, CreditEntry, UsageReport } from '../src/index.ts'
import type {
  Asset,
  DeletedAsset,
  ErrorCode,
  Model,
  Page,
  Quote,
  ResumableUpload,
  Simulation,
  Task,
  TaskStatus,
  Violation,
  IssuedWebhook,
  ResentDeliveries,
  Webhook,
  WebhookDelivery,
  WebhookSecret,
} from '../src/index.ts'

/**
 * The compiler checks these calls in `npm run check:types`. The service here accepts everything.
 */
const fetch = async () => Response.json({ id: 'task_1', status: 'completed' })
const { tasks } = new Framegate({ apiKey: 'key', fetch })

it('the types of the SDK match the contract', () => {
  expectTypeOf<Task>().toEqualTypeOf<ContractTask>()
  expectTypeOf<Quote>().toEqualTypeOf<ContractQuote>()
  expectTypeOf<Asset>().toEqualTypeOf<ContractAsset>()
  expectTypeOf<DeletedAsset>().toEqualTypeOf<ContractDeletedAsset>()
  expectTypeOf<ResumableUpload>().toEqualTypeOf<contract.ResumableUpload>()
  expectTypeOf<Balance>().toEqualTypeOf<ContractCredits>()
  expectTypeOf<CreditEntry>().toEqualTypeOf<ContractCreditEntry>()
  expectTypeOf<UsageReport>().toEqualTypeOf<ContractUsageReport>()
  expectTypeOf<Omit<Page<Task>, typeof Symbol.asyncIterator>>().toEqualTypeOf<List<ContractTask>>()
  expectTypeOf<Simulation>().toEqualTypeOf<ContractSimulation>()
  expectTypeOf<TaskStatus>().toEqualTypeOf<contract.TaskStatus>()
  expectTypeOf<FailureCode>().toEqualTypeOf<contract.FailureCode>()
  expectTypeOf<ErrorCode>().toEqualTypeOf<contract.ErrorCode>()
  expectTypeOf<Violation>().toEqualTypeOf<contract.Violation>()
  expectTypeOf<Model>().toEqualTypeOf<contract.Model>()
  expectTypeOf<Webhook>().toEqualTypeOf<contract.Webhook>()
  expectTypeOf<Required<IssuedWebhook>>().toEqualTypeOf<Required<contract.IssuedWebhook>>()
  expectTypeOf<WebhookDelivery>().toEqualTypeOf<contract.WebhookDelivery>()
  expectTypeOf<WebhookSecret>().toEqualTypeOf<contract.WebhookSecret>()
  expectTypeOf<ResentDeliveries>().toEqualTypeOf<contract.ResentDeliveries>()
})

it('TaskRequest has the parameters of each model', async () => {
  expectTypeOf<TaskRequest<'vidDq3-turbo'>['resolution']>().toEqualTypeOf<'540p' | '720p' | '1080p' | undefined>()
  expectTypeOf<TaskRequest<'vidC2Stable'>['seconds']>().toEqualTypeOf<10 | 15 | undefined>()
  expectTypeOf<TaskRequest<'vidM-H3-768p'>['resolution']>().toEqualTypeOf<'768p' | undefined>()
  expectTypeOf<'vidK O3 Video Generation'>().toExtend<KnownModel>()
  expectTypeOf<TaskRequest<'sd_2.5_special_v1'>['first_frame']>().toEqualTypeOf<MediaInput | undefined>()
  expectTypeOf<TaskRequest<'imgA-5.0'>['reference_images']>().toEqualTypeOf<readonly MediaInput[] | undefined>()
  expectTypeOf<Asset>().toExtend<MediaInput>()

  const sentTasks = await Promise.all([
    tasks.create({ model: 'vidDq3-turbo', prompt: 'x', seconds: 5, resolution: '540p', simulate: { outcome: 'stuck' } }),
    tasks.quote({ model: 'vidH 1.1 v2 Image To Video', prompt: 'x', first_frame: 'https://example.com/a.png' }),
    // An optional parameter may be explicitly undefined.
    tasks.create({ model: 'veo-3.1', prompt: 'x', seed: undefined }),
    // @ts-expect-error -- there is no such parameter
    tasks.create({ model: 'vidDq3-turbo', prompt: 'x', second: 5 }),
    // @ts-expect-error -- this model has no sound
    tasks.createAndWait({ model: 'vidDq3-turbo', prompt: 'x', audio: true }),
    // @ts-expect-error -- this model has other resolutions
    tasks.quote({ model: 'vidDq3-turbo', prompt: 'x', resolution: '480p' }),
    // @ts-expect-error -- the parameter is a number
    tasks.create({ model: 'vidDq3-turbo', prompt: 'x', seconds: '5' }),
    // @ts-expect-error -- this model generates 10 or 15 seconds
    tasks.create({ model: 'vidC2Stable', prompt: 'x', seconds: 12 }),
    // @ts-expect-error -- the prompt is required
    tasks.create({ model: 'vidDq3-turbo' }),
    // @ts-expect-error -- the image of this model is required
    tasks.create({ model: 'vidH 1.1 v2 Image To Video', prompt: 'x' }),
    // @ts-expect-error -- a simulated task cannot end like this
    tasks.create({ model: 'veo-3.1', prompt: 'x', simulate: { outcome: 'cancelled' } }),
  ])
  expect(sentTasks).toHaveLength(11)
})

it('TaskRequest accepts any parameter of an unknown model', async () => {
  const someModel: string = ['vidZ 9'].join('')
  const knownRequest: TaskRequest<'imgA-5.0'> = { model: 'imgA-5.0', prompt: 'x', aspect_ratio: '3:2' }
  const sentTasks = await Promise.all([
    tasks.create({ model: 'vidZ 9', prompt: 'x', camera: { path: 'orbit' } }),
    tasks.create({ model: someModel, prompt: 'x', seconds: 5, anything: [1] }),
    tasks.create(knownRequest),
    // An operator may define a model without a prompt.
    tasks.create({ model: 'vidZ 9', camera: 'orbit' }),
  ])
  expect(sentTasks).toHaveLength(4)
})

it('the code of a FramegateError may be any known error code', () => {
  // Known codes are suggested, and others are allowed.
  expectTypeOf<ErrorCode>().toExtend<FramegateError['code']>()
})
