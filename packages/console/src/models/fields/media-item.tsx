import { useEffect, useState } from 'preact/hooks'
import type { Asset } from '../../api/types.ts'
import { get } from '../../api/call.ts'
import { texts } from '../../language/language.ts'
import { Icon } from '../../parts/icon.tsx'
import { mediaUrl } from '../../session/brand.ts'
import { may } from '../../session/session.ts'

const assetPrefix = 'asset:'

/** A chosen file: the name of an asset, with the image if it is one, or the URL of another file. */
export function MediaItem({ reference, onRemove }: { reference: string; onRemove: () => void }) {
  const [asset, setAsset] = useState<Asset | null>(null)
  useEffect(() => {
    if (!reference.startsWith(assetPrefix) || !may('tasks:read')) return
    get<Asset>(`/v2/assets/${reference.slice(assetPrefix.length)}`).then(setAsset, () => setAsset(null))
  }, [reference])
  const name = asset?.name ?? reference
  return (
    <li class="media-item">
      {asset?.content_type.startsWith('image/') === true ? <img src={mediaUrl(asset.url)} alt="" /> : <Icon name="external" />}
      <span class="media-item-name" title={name}>
        {name}
      </span>
      <button type="button" class="button quiet icon-only" aria-label={texts.value.media.remove(name)} onClick={onRemove}>
        <Icon name="close" size={16} />
      </button>
    </li>
  )
}
