import { ShieldCheck } from 'lucide-react'
import { getRemovedMetadata } from '#web/api/upload.ts'
import { formatRemovedFromPhoto } from './format-audience.ts'

type Props = { files: readonly (File | null)[]; uploading: boolean }

/** Says what chosen photos have lost, once the server has said so. */
export function RemovedNotice({ files, uploading }: Props) {
  const removed = uploading ? [] : files.flatMap((file) => (file ? getRemovedMetadata(file) : []))
  const said = formatRemovedFromPhoto(removed)
  return (
    <p role="status" className={said ? 'mt-2 flex items-center gap-2 text-meta font-[600] text-success' : ''}>
      {said && (
        <>
          <ShieldCheck aria-hidden size={18} strokeWidth={2} className="flex-none" />
          {said}
        </>
      )}
    </p>
  )
}
