import { ImageOff } from 'lucide-react'
import { useState } from 'react'
import { en } from '#contract/language.ts'
import { cx } from '../cx.ts'

type Props = {
  url: string
  fileName?: string
  className?: string
}

/** The server accepts or refuses the file, even if the browser cannot display it. */
export function ImagePreview({ url, fileName, className }: Props) {
  const [failed, setFailed] = useState<string>()
  if (failed === url) {
    return (
      <span
        className={cx(
          'flex flex-col items-center justify-center gap-2 bg-sunken p-4 text-center text-text-2',
          className,
        )}
      >
        <ImageOff aria-hidden size={24} strokeWidth={1.9} />
        <span className="text-label">{en('Picture couldn’t be loaded', 'No pudimos cargar la foto')}</span>
        {fileName && <span className="max-w-full truncate text-meta">{fileName}</span>}
      </span>
    )
  }
  return (
    <img
      src={url}
      alt={en('Chosen', 'Elegida')}
      onError={() => setFailed(url)}
      className={cx('bg-sunken object-cover', className)}
    />
  )
}
