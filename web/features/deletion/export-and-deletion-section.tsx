import { en } from '#contract/language.ts'
import { ExportBox } from '#web/features/data-export/export-box.tsx'
import { screenPaths } from '#web/paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'

export function ExportAndDeletionSection() {
  return (
    <>
      <ExportBox />
      <DeletionLink />
    </>
  )
}

function DeletionLink() {
  return (
    <section aria-label={en('Delete your account', 'Borrar tu cuenta')} className="card p-5">
      <h2 className="heading text-lead">{en('Delete your account', 'Borrar tu cuenta')}</h2>
      <p className="mt-1 mb-4.5 text-pretty text-label text-text-2">
        {en(
          'Nobody can see you from that moment, and you can come back for some days. Then your account is deleted for good, and you get a receipt.',
          'Nadie te ve desde ese momento, y puedes volver durante unos días. Después tu cuenta se borra para siempre, y te damos un recibo.',
        )}
      </p>
      <ButtonLink to={screenPaths.settingsPage('data/delete')} kind="outline" className="text-danger!">
        {en('Delete your account', 'Borrar tu cuenta')}
      </ButtonLink>
    </section>
  )
}
