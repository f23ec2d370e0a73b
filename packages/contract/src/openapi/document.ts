import { AttemptSchema } from '../admin-attempts.ts'
import { UsageOfAllSchema } from '../admin-usage.ts'
import { HeldTaskSchema } from '../admin-held-tasks.ts'
import { ModelImportSchema, ModelPackSchema } from '../admin-imports.ts'
import { ModelDefinitionSchema } from '../admin-models.ts'
import { RouteExplanationSchema, RouteSchema, RouteTestSchema, UpstreamSchema } from '../admin-routing.ts'
import { OperatorWebhookSchema, OverviewSchema } from '../admin-overview.ts'
import { PriceChangeSchema, PriceInForceSchema, PriceLineSchema, PriceSimulationSchema } from '../admin-prices.ts'
import { LogEntrySchema } from '../admin-log.ts'
import {
  AccountSchema,
  ApiKeySchema,
  AuditEntrySchema,
  BrandModelSchema,
  BrandSchema,
  GrantSchema,
  IssuedKeySchema,
} from '../admin.ts'
import { AssetSchema, DeletedAssetSchema, ResumableUploadSchema } from '../asset.ts'
import { CreditEntrySchema, CreditsCheckSchema, CreditsSchema } from '../credits.ts'
import { DeletedTaskSchema, DeletedTasksSchema, ErasureSchema } from '../deletion.ts'
import {
  OpenAiDeletedVideoSchema,
  OpenAiChatRequestSchema,
  OpenAiChatSchema,
  OpenAiForwardedSchema,
  OpenAiImageEditSchema,
  OpenAiImageRequestSchema,
  OpenAiImagesSchema,
  OpenAiInputRequestSchema,
  OpenAiModelListSchema,
  OpenAiModelSchema,
  OpenAiResponseRequestSchema,
  OpenAiVideoListSchema,
  OpenAiRemixSchema,
  OpenAiVideoEditSchema,
  OpenAiVideoRequestSchema,
  OpenAiVideoSchema,
} from '../openai.ts'
import { ErrorBodySchema } from '../error-body.ts'
import { HealthSchema, ReadinessSchema } from '../health.ts'
import { listSchema } from '../list.ts'
import { ModelSchema, type Model } from '../model.ts'
import { simulationSchema } from '../simulation.ts'
import { improvePromptSchema, maxAmountSchema, QuoteSchema, TaskSchema, VideoTaskSchema } from '../task.ts'
import { TimelineSchema } from '../timeline.ts'
import { UsageSchema } from '../usage.ts'
import {
  CreditAlertSchema,
  DeletedWebhookSchema,
  IssuedWebhookSchema,
  ResentDeliveriesSchema,
  WebhookDeliverySchema,
  WebhookSchema,
  WebhookSecretSchema,
} from '../webhook.ts'
import { webhookUrlSchema } from '../webhook-requests.ts'
import { contractVersion } from '../version.ts'
import { clientDocument } from './client-document.ts'
import { reference, type OpenApiDocument } from './document-types.ts'
import { errorExample } from './error-reference.ts'
import { documentedCodes, errorResponses } from './error-responses.ts'
import { responseHeaders } from './headers.ts'
import { introduction } from './introduction.ts'
import { anyOfModels, modelExamples, modelRequests, otherModelRequest, otherModelSchema } from './model-requests.ts'
import { assetBodies, assetOperations } from './asset-operations.ts'
import { uploadOperations } from './upload-operations.ts'
import { accountCreditBodies, accountCreditOperations } from './account-credit-operations.ts'
import { accountBodies, accountOperations } from './account-operations.ts'
import { auditOperations } from './audit-operations.ts'
import { brandBodies, brandOperations } from './brand-operations.ts'
import { keyBodies, keyOperations } from './key-operations.ts'
import { attemptBodies, attemptOperations } from './attempt-operations.ts'
import { deletionOperations } from './deletion-operations.ts'
import { heldTaskOperations } from './held-task-operations.ts'
import { overviewBodies, overviewOperations } from './overview-operations.ts'
import { usageOperations } from './usage-operations.ts'
import { priceBodies, priceOperations } from './price-operations.ts'
import { definitionBodies, definitionOperations } from './definition-operations.ts'
import { importBodies, importOperations } from './import-operations.ts'
import { routingBodies, routingOperations } from './routing-operations.ts'
import { creditOperations } from './credit-operations.ts'
import { mediaOperations } from './media-operations.ts'
import { modelOperations } from './model-operations.ts'
import { serviceOperations } from './service-operations.ts'
import { withNumberFormats } from './number-formats.ts'
import { sharedParameters } from './parameters.ts'
import { tags } from './tags.ts'
import { forwardOperations } from './forward-operations.ts'
import { openAiOperations } from './openai-operations.ts'
import { streamOperations } from './stream-operations.ts'
import { taskOperations } from './task-operations.ts'
import { videoFamilies, videoOperations } from './video-operations.ts'
import { webhookBodies, webhookOperations } from './webhook-operations.ts'

export interface DocumentedService {
  /** Product name in the document. Default: Framegate. */
  title?: string
  /**
   * `clients`: the document for clients of a brand (a storefront with its own name). It does not
   * mention the product, its specification or the operator's API. Default: `all`.
   */
  audience?: 'all' | 'clients'
  /** Prefix of all paths. It starts with a slash and does not end with one. Empty: no prefix. */
  basePath: string
  /** The models in the order of the catalogue. */
  models: readonly Model[]
  /** Whether a submit accepts `simulate`. False in production mode. */
  allowsSimulation: boolean
}

/**
 * The API as an OpenAPI 3.1 document, built from the schemas that validate requests: those of this
 * package and those of the models. The same input always gives the same document, including the
 * order of keys.
 */
export function openApiDocument(service: DocumentedService): OpenApiDocument {
  const document = fullDocument(service)
  return withNumberFormats(service.audience === 'clients' ? clientDocument(document) : document)
}

function fullDocument({ title = 'Framegate', audience, basePath, models, allowsSimulation }: DocumentedService): OpenApiDocument {
  const taskSettings = {
    max_amount: maxAmountSchema,
    webhook_url: webhookUrlSchema,
    ...(allowsSimulation && { simulate: reference('schemas', 'Simulation') }),
  }
  const mediaSettings = { ...taskSettings, improve_prompt: improvePromptSchema }
  return {
    openapi: '3.1.1',
    info: {
      title,
      version: contractVersion,
      summary: 'AI video and image generation through one asynchronous API.',
      description: introduction({ models, keyVariable: audience === 'clients' ? 'API_KEY' : 'FRAMEGATE_API_KEY' }),
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: basePath === '' ? '/' : basePath, description: 'This service.' }],
    security: [{ ApiKey: [] }],
    tags,
    paths: {
      ...taskOperations(models),
      ...streamOperations,
      ...videoOperations(models),
      ...modelOperations(models),
      ...openAiOperations,
      ...forwardOperations,
      ...assetOperations,
      ...uploadOperations,
      ...webhookOperations,
      ...creditOperations,
      ...brandOperations,
      ...accountOperations,
      ...accountCreditOperations,
      ...keyOperations,
      ...auditOperations,
      ...priceOperations,
      ...definitionOperations,
      ...importOperations,
      ...routingOperations,
      ...attemptOperations,
      ...heldTaskOperations,
      ...overviewOperations,
      ...usageOperations,
      ...deletionOperations,
      ...mediaOperations,
      ...serviceOperations,
    },
    components: {
      securitySchemes: {
        ApiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key of the service, such as `fg_live_…`.',
        },
      },
      parameters: sharedParameters,
      headers: responseHeaders,
      responses: errorResponses(),
      examples: {
        ...Object.fromEntries(documentedCodes.map((code) => [code, errorExample(code)])),
        ...modelExamples(models),
      },
      schemas: {
        Task: TaskSchema,
        VideoTask: VideoTaskSchema,
        TaskList: listSchema(reference('schemas', 'Task'), 'A page of tasks, newest first.'),
        Timeline: TimelineSchema,
        DeletedTask: DeletedTaskSchema,
        DeletedTasks: DeletedTasksSchema,
        Quote: QuoteSchema,
        Asset: AssetSchema,
        AssetList: listSchema(reference('schemas', 'Asset'), 'A page of assets, newest first.'),
        DeletedAsset: DeletedAssetSchema,
        ResumableUpload: ResumableUploadSchema,
        ResumableUploadList: listSchema(reference('schemas', 'ResumableUpload'), 'The unfinished uploads, newest first.'),
        ...assetBodies,
        Webhook: WebhookSchema,
        WebhookList: listSchema(reference('schemas', 'Webhook'), 'A page of webhooks, oldest first.'),
        IssuedWebhook: IssuedWebhookSchema,
        DeletedWebhook: DeletedWebhookSchema,
        CreditAlert: CreditAlertSchema,
        WebhookSecret: WebhookSecretSchema,
        WebhookDelivery: WebhookDeliverySchema,
        WebhookDeliveryList: listSchema(reference('schemas', 'WebhookDelivery'), 'A page of deliveries, newest first.'),
        ResentDeliveries: ResentDeliveriesSchema,
        ...webhookBodies,
        OpenAiVideo: OpenAiVideoSchema,
        OpenAiVideoList: OpenAiVideoListSchema,
        OpenAiDeletedVideo: OpenAiDeletedVideoSchema,
        OpenAiModel: OpenAiModelSchema,
        OpenAiModelList: OpenAiModelListSchema,
        OpenAiImages: OpenAiImagesSchema,
        OpenAiVideoRequest: OpenAiVideoRequestSchema,
        OpenAiRemix: OpenAiRemixSchema,
        OpenAiVideoEdit: OpenAiVideoEditSchema,
        OpenAiImageRequest: OpenAiImageRequestSchema,
        OpenAiImageEdit: OpenAiImageEditSchema,
        OpenAiChatRequest: OpenAiChatRequestSchema,
        OpenAiChat: OpenAiChatSchema,
        OpenAiResponseRequest: OpenAiResponseRequestSchema,
        OpenAiInputRequest: OpenAiInputRequestSchema,
        OpenAiForwarded: OpenAiForwardedSchema,
        Credits: CreditsSchema,
        CreditEntry: CreditEntrySchema,
        CreditEntryList: listSchema(reference('schemas', 'CreditEntry'), "A page of an account's ledger, newest first."),
        Usage: UsageSchema,
        CreditsCheck: CreditsCheckSchema,
        Account: AccountSchema,
        AccountList: listSchema(reference('schemas', 'Account'), 'A page of accounts, oldest first.'),
        Brand: BrandSchema,
        BrandList: listSchema(reference('schemas', 'Brand'), 'All brands, oldest first.'),
        BrandModelView: BrandModelSchema,
        BrandModelList: listSchema(reference('schemas', 'BrandModelView'), 'Every model, in the order of the catalogue.'),
        GrantView: GrantSchema,
        ApiKey: ApiKeySchema,
        ApiKeyList: listSchema(reference('schemas', 'ApiKey'), 'The keys of an account, oldest first.'),
        IssuedApiKey: IssuedKeySchema,
        AuditEntry: AuditEntrySchema,
        LogEntry: LogEntrySchema,
        Log: listSchema(reference('schemas', 'LogEntry'), 'A page of lines, newest first.'),
        AuditLog: listSchema(reference('schemas', 'AuditEntry'), 'A page of changes, newest first.'),
        Price: PriceLineSchema,
        PriceList: listSchema(reference('schemas', 'Price'), 'A page of prices, newest request first.'),
        PriceChange: PriceChangeSchema,
        PriceInForce: PriceInForceSchema,
        PriceSimulation: PriceSimulationSchema,
        ...brandBodies,
        ...accountBodies,
        ...keyBodies,
        ...accountCreditBodies,
        ...priceBodies,
        Upstream: UpstreamSchema,
        UpstreamList: listSchema(
          reference('schemas', 'Upstream'),
          'All upstreams. Upstreams of the configuration file come first.',
        ),
        Route: RouteSchema,
        RouteList: listSchema(reference('schemas', 'Route'), 'All routes. Routes of the configuration file come first.'),
        RouteTest: RouteTestSchema,
        RouteExplanation: RouteExplanationSchema,
        ...routingBodies,
        ModelDefinition: ModelDefinitionSchema,
        ModelDefinitionList: listSchema(
          reference('schemas', 'ModelDefinition'),
          'A page of model definitions. Definitions in files come first.',
        ),
        ...definitionBodies,
        ModelImport: ModelImportSchema,
        ModelPack: ModelPackSchema,
        ModelPackList: listSchema(reference('schemas', 'ModelPack'), 'All packs, by name.'),
        ...importBodies,
        Attempt: AttemptSchema,
        AttemptList: listSchema(reference('schemas', 'Attempt'), 'A page of attempts, newest first.'),
        ...attemptBodies,
        UsageOfAll: UsageOfAllSchema,
        Overview: OverviewSchema,
        OperatorWebhook: OperatorWebhookSchema,
        OperatorWebhookList: listSchema(reference('schemas', 'OperatorWebhook'), 'A page of addresses, oldest first.'),
        ...overviewBodies,
        HeldTask: HeldTaskSchema,
        HeldTaskList: listSchema(reference('schemas', 'HeldTask'), 'A page of tasks on hold, oldest first.'),
        Erasure: ErasureSchema,
        Model: ModelSchema,
        ModelList: listSchema(reference('schemas', 'Model'), 'A page of models.'),
        Health: HealthSchema,
        Readiness: ReadinessSchema,
        Error: ErrorBodySchema,
        SubmitRequest: anyOfModels(models, 'A task for any model. `model` determines the accepted parameters.', [
          otherModelRequest,
        ]),
        [otherModelRequest]: otherModelSchema(models, mediaSettings),
        ...Object.fromEntries(
          videoFamilies(models).map((family) => [family.body, anyOfModels(family.models, `A task for a ${family.name} model.`)]),
        ),
        ...modelRequests(models, ({ type }) => (type === 'text' ? taskSettings : mediaSettings)),
        ...(allowsSimulation && { Simulation: { ...simulationSchema, examples: [{ seconds: 10, outcome: 'content_policy' }] } }),
      },
    },
  }
}
export type { OpenApiDocument, Operation, Parameter, Response } from './document-types.ts'
export { commonHeaders } from './headers.ts'
export { exampleRequestId } from './error-reference.ts'
export { attemptExamples } from './attempt-examples.ts'
export { deletionExamples } from './deletion-examples.ts'
export { heldTaskExamples } from './held-task-examples.ts'
export { definitionExamples } from './definition-examples.ts'
export { routingExamples } from './routing-examples.ts'
export { openAiExamples } from './openai-examples.ts'
export { webhookExampleIds, webhookExamples } from './webhook-examples.ts'
export { priceExamples } from './price-examples.ts'
