import { ShieldCheck } from 'lucide-react'
import { en } from '#contract/language.ts'
import { getRemovedMetadata } from '#web/api/upload.ts'
import { formatRemovedFromPhoto } from './share-receipt-texts.ts'

type Props = { files: readonly (File | null)[]; uploading: boolean }

export function RemovedMetadataNotice({ files, uploading }: Props) {
  const removed = uploading ? [] : files.flatMap((file) => (file ? getRemovedMetadata(file) : []))
  const said = formatRemovedFromPhoto(removed)
  const whereOrWhen = removed.includes('place') || removed.includes('time')
  return (
    <div role="status">
      {[
        said,
        whereOrWhen &&
          en('We removed the place and time from the photo.', 'Quitamos de la foto el lugar y la hora.'),
      ].map(
        (words) =>
          words && (
            <p key={words} className="mt-2 flex items-center gap-2 text-meta font-[600] text-success">
              <ShieldCheck aria-hidden size={18} strokeWidth={2} className="flex-none" />
              {words}
            </p>
          ),
      )}
    </div>
  )
}
