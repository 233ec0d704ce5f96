import { ImageOff } from 'lucide-react'
import { useState } from 'react'
import { classes } from './classes.ts'

type Props = {
  url: string
  /** Of the file, where she chose one just now: what stands there when it cannot be shown. */
  fileName?: string
  className?: string
}

/** The picture a form holds. One that cannot be shown says so by its name; whether it can be kept, the server says. */
export function ChosenPicture({ url, fileName, className }: Props) {
  const [failed, setFailed] = useState<string>()
  if (failed === url) {
    return (
      <span
        className={classes(
          'flex flex-col items-center justify-center gap-2 bg-sunken p-4 text-center text-text-2',
          className,
        )}
      >
        <ImageOff aria-hidden size={24} strokeWidth={1.9} />
        <span className="text-label">Picture couldn’t be loaded</span>
        {fileName && <span className="max-w-full truncate text-meta">{fileName}</span>}
      </span>
    )
  }
  return (
    <img
      src={url}
      alt="Chosen"
      onError={() => setFailed(url)}
      className={classes('bg-sunken object-cover', className)}
    />
  )
}
