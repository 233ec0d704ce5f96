import { en } from '#contract/language.ts'
import { formatFullDate } from '#web/format-time.ts'

/** Shows 'Edited' with the time as tooltip. Shows nothing for an unedited post. */
export const EditedMark = ({ at }: { at: string | null }) =>
  at && (
    <span>
      {' · '}
      <time dateTime={at} title={formatFullDate(new Date(at))}>
        {en('Edited', 'Editada')}
      </time>
    </span>
  )
