import type { Asset } from '../api/types.ts'
import { duration, fileSize, texts } from '../language/language.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { Icon } from '../parts/icon.tsx'
import { mediaUrl } from '../session/brand.ts'

export function AssetCard({ asset, onDelete }: { asset: Asset; onDelete: (() => void) | null }) {
  const t = texts.value
  const { id, name, content_type, url, width, height, seconds, size_bytes } = asset
  const title = name ?? id
  const [kind] = content_type.split('/')
  const facts = [
    width !== null && height !== null && `${width} × ${height}`,
    seconds !== null && duration(seconds),
    fileSize(size_bytes),
  ]
  return (
    <li class="asset-card">
      <div class="asset-preview">
        {kind === 'image' && <img src={mediaUrl(url)} alt="" loading="lazy" decoding="async" />}
        {kind === 'video' && <video src={mediaUrl(url)} preload="metadata" controls aria-label={title} />}
        {kind === 'audio' && <audio src={mediaUrl(url)} preload="none" controls aria-label={title} />}
      </div>
      <p class="asset-name" title={title}>
        {title}
      </p>
      <p class="muted small">{facts.filter(Boolean).join(', ')}</p>
      <div class="asset-actions">
        <CopyButton text={`asset:${id}`} label={t.assets.copyReference} />
        {onDelete !== null && (
          <button type="button" class="button quiet icon-only" aria-label={`${t.actions.delete} ${title}`} onClick={onDelete}>
            <Icon name="trash" size={16} />
          </button>
        )}
      </div>
    </li>
  )
}
