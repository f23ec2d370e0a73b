import { useId } from 'preact/hooks'
import type { Model, ModelType } from '../api/types.ts'
import { texts } from '../language/language.ts'
import { Icon, type IconName } from '../parts/icon.tsx'
import { modelPath } from './catalogue.ts'
import { priceSummary } from './price-summary.ts'

const icons: Readonly<Record<ModelType, IconName>> = {
  video: 'film',
  image: 'image',
  text: 'text',
  chat: 'chat',
  embedding: 'text',
  moderation: 'text',
}

export function ModelCard({ model }: { model: Model }) {
  const t = texts.value
  const id = useId()
  return (
    <a class="model-card" href={modelPath(model.id)} aria-labelledby={id}>
      <span class="model-card-title" id={id}>
        <Icon name={icons[model.type]} />
        <strong>{model.title}</strong>
        <code>{model.id}</code>
      </span>
      <span class="model-card-description">{model.description}</span>
      <span class="model-card-facts">
        <span>{priceSummary(model.price, t)}</span>
        {!model.available && <span class="badge">{t.models.unavailable}</span>}
      </span>
    </a>
  )
}
