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
          'You are out of everybody’s sight at once, and can come back for some days. Then it is erased for good, and you get a receipt.',
          'Dejas de estar a la vista de todas al momento, y puedes volver durante unos días. Después se borra para siempre, y recibes un comprobante.',
        )}
      </p>
      <ButtonLink to={screenPaths.settingsPage('data/delete')} kind="outline" className="text-danger!">
        {en('Delete your account', 'Borrar tu cuenta')}
      </ButtonLink>
    </section>
  )
}
