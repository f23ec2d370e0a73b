import {
  diag,
  DiagLogLevel,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Context,
  type SpanContext,
  type SpanOptions,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  RandomIdGenerator,
  SamplingDecision,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type IdGenerator,
} from '@opentelemetry/sdk-trace'
import type { TracesConfig } from '../config/config.ts'
import { currentWork } from '../identity/current-work.ts'
import type { Logger } from '../lib/logger.ts'
import { createdAtMsOf } from '../identity/task-id.ts'
import type { Telemetry } from './telemetry.ts'

export interface Traces extends Telemetry, AsyncDisposable {}

/**
 * Sends traces by OTLP over HTTP. The trace id is the task id without its prefix, so that every
 * process can derive it and a person can look it up:
 *
 *   task                                from its acceptance to its end
 *     submit                            the request; if the client sent a `traceparent`, this span
 *                                       is in the client's trace and links to the task's trace
 *     start, generate, collect, finish
 *     POST, GET …                       each exchange with the upstream
 */
export function createTraces({ endpoint, headers, serviceName, ratio }: TracesConfig, version: string, logger: Logger): Traces {
  diag.setLogger(diagnosticsTo(logger), DiagLogLevel.WARN)
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, headers: readHeaders(headers?.reveal() ?? '') })
  const ids = new PresetIdGenerator()
  const sampler = new TraceIdRatioBasedSampler(ratio)
  const provider = new TracerProvider({
    idGenerator: ids,
    resource: resourceFromAttributes({ 'service.name': serviceName, 'service.version': version }),
    sampler: new ParentBasedSampler({ root: sampler }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  })
  const tracer = provider.getTracer('framegate', version)

  function taskSpanContext(taskId: string): SpanContext {
    const traceId = traceIdOf(taskId)
    const isSampled = sampler.shouldSample(ROOT_CONTEXT, traceId).decision === SamplingDecision.RECORD_AND_SAMPLED
    return { traceId, spanId: traceId.slice(16), traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE, isRemote: true }
  }

  function addSpan(name: string, { endTime, error = null, ...options }: FinishedSpan, parent: Context): void {
    const span = tracer.startSpan(name, options, parent)
    if (error !== null) span.setStatus({ code: SpanStatusCode.ERROR, message: error })
    span.end(endTime)
  }

  return {
    requestCompleted() {},

    taskAccepted(task, { requestId, traceparent, elapsedMs }) {
      const callerContext = readTraceparent(traceparent)
      const taskContext = taskSpanContext(task.id)
      const endTime = Date.now()
      const attributes = { 'framegate.task': task.id, 'framegate.model': task.model, 'framegate.request': requestId }
      const links = callerContext === undefined ? [] : [{ context: taskContext }]
      const span = { kind: SpanKind.SERVER, startTime: endTime - elapsedMs, endTime, attributes, links }
      addSpan('submit', span, trace.setSpanContext(ROOT_CONTEXT, callerContext ?? taskContext))
    },

    taskEnded({ id, model, status, errorCode, endedAtMs }) {
      ids.next = taskSpanContext(id)
      const attributes = { 'framegate.task': id, 'framegate.model': model, 'framegate.status': status }
      const span = { root: true, attributes, startTime: createdAtMsOf(id), endTime: endedAtMs ?? Date.now(), error: errorCode }
      addSpan('task', span, ROOT_CONTEXT)
      ids.next = null
    },

    attemptPaid() {},

    stageEnded({ stage, taskId, attemptId, route, startedAtMs, endedAtMs, error }) {
      const attributes = { 'framegate.attempt': attemptId, 'framegate.route': route }
      const span = { attributes, startTime: startedAtMs, endTime: endedAtMs, error }
      addSpan(stage, span, trace.setSpanContext(ROOT_CONTEXT, taskSpanContext(taskId)))
    },

    upstreamResponded({ method, url, startedAtMs, endedAtMs, status }) {
      const work = currentWork()
      if (work === undefined) return
      const attributes = {
        'http.request.method': method,
        'url.full': url,
        'framegate.attempt': work.attemptId,
        'framegate.route': work.routeName ?? '',
        ...(status !== null && { 'http.response.status_code': status }),
      }
      const error = status === null ? 'no response arrived' : status >= 400 ? `status ${status}` : null
      const span = { kind: SpanKind.CLIENT, attributes, startTime: startedAtMs, endTime: endedAtMs, error }
      addSpan(method, span, trace.setSpanContext(ROOT_CONTEXT, taskSpanContext(work.taskId)))
    },

    async [Symbol.asyncDispose]() {
      await provider.shutdown().catch((error: unknown) => logger.warn({ err: error }, 'the last traces could not be sent'))
      diag.disable()
    },
  }
}

interface FinishedSpan extends SpanOptions {
  endTime: number
  error?: string | null
}

/** Generates random ids, or returns the ids of `next` while it is set. */
class PresetIdGenerator implements IdGenerator {
  readonly #random = new RandomIdGenerator()
  next: SpanContext | null = null

  generateTraceId = (): string => this.next?.traceId ?? this.#random.generateTraceId()

  generateSpanId = (): string => this.next?.spanId ?? this.#random.generateSpanId()
}

function traceIdOf(taskId: string): string {
  return taskId.slice('task_'.length)
}

/**
 * Parses the header `traceparent` (W3C Trace Context, section 3.2). Returns undefined if the header
 * is missing or invalid.
 */
function readTraceparent(text: string | undefined): SpanContext | undefined {
  const [, traceId = '', spanId = '', flags = ''] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(text ?? '') ?? []
  const spanContext = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true }
  return trace.isSpanContextValid(spanContext) ? spanContext : undefined
}

/**
 * Parses `name=value,name=value`, percent-encoded: OpenTelemetry Protocol Exporter, "Specifying
 * headers".
 */
function readHeaders(text: string): Record<string, string> {
  const pairs = text.split(',').filter((pair) => pair.includes('='))
  return Object.fromEntries(
    pairs.map((pair) => {
      const separatorIndex = pair.indexOf('=')
      return [pair.slice(0, separatorIndex).trim(), decodeURIComponent(pair.slice(separatorIndex + 1).trim())]
    }),
  )
}

function diagnosticsTo(logger: Logger) {
  const warn = (message: string): void => logger.warn({ detail: message }, 'traces cannot be sent')
  return { error: warn, warn, info: () => {}, debug: () => {}, verbose: () => {} }
}
