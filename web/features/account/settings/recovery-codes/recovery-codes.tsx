import { Copy, Download, Printer, ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { en } from '#contract/language.ts'
import { Checkbox } from '#web/forms/checkbox.tsx'
import { useCommunityName } from '#web/navigation/community-identity.ts'
import { screenPaths } from '#web/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { toast } from '#web/ui/toast/toast-store.ts'
import './recovery-codes.css'
import { SettingsNote } from '../settings-box-and-rows.tsx'

type Props = { codes: readonly string[]; justTurnedOn?: boolean }

export function RecoveryCodes({ codes, justTurnedOn = false }: Props) {
  const [kept, setKept] = useState(false)
  const navigate = useNavigate()
  const community = useCommunityName()
  const text = `${community}\n\n${codes.join('\n')}\n`

  async function copy() {
    await navigator.clipboard.writeText(text)
    toast({ text: en('Copied.', 'Copiado.') })
  }

  function save() {
    const link = document.createElement('a')
    link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
    link.download = 'juntas-recovery-codes.txt'
    link.click()
    URL.revokeObjectURL(link.href)
  }

  return (
    <>
      {justTurnedOn && (
        <SettingsNote icon={ShieldCheck} color="plain">
          <b className="font-[650]">
            {en('Two-step verification is on.', 'La verificación en dos pasos está activada.')}
          </b>
          {en(' From now on a password alone is not enough.', ' Desde ahora una contraseña sola no basta.')}
        </SettingsNote>
      )}
      <section aria-label={en('Recovery codes', 'Códigos de recuperación')} className="card mb-4 p-5">
        <h2 className="heading text-lead">
          {en(
            'Save these somewhere you can reach without your phone',
            'Guárdalos donde puedas verlos sin tu teléfono',
          )}
        </h2>
        <p className="mt-1 mb-3.5 text-pretty text-label text-text-2">
          {en(
            'Each works once, in place of the code. You won’t see them again.',
            'Cada uno vale una vez, en lugar del código. No volverás a verlos.',
          )}
        </p>
        <p className="hidden printed">{community}</p>
        <ul className="printed grid grid-cols-2 gap-x-4 gap-y-2 rounded-photo bg-sunken px-5 py-4 font-[650] tabular-nums">
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <div className="mt-4 flex flex-wrap gap-2.5">
          <Button kind="soft" onClick={copy}>
            <Copy aria-hidden size={18} strokeWidth={1.9} />
            {en('Copy', 'Copiar')}
          </Button>
          <Button kind="soft" onClick={save}>
            <Download aria-hidden size={18} strokeWidth={1.9} />
            {en('Save as text', 'Guardar como texto')}
          </Button>
          <Button kind="soft" onClick={() => window.print()}>
            <Printer aria-hidden size={18} strokeWidth={1.9} />
            {en('Print', 'Imprimir')}
          </Button>
        </div>
      </section>
      <label className="mx-1 mb-4 flex min-h-11 items-center gap-3 font-[620]">
        <Checkbox checked={kept} onChange={({ target }) => setKept(target.checked)} />
        {en('I’ve saved them', 'Ya los tengo guardados')}
      </label>
      <Button disabled={!kept} onClick={() => navigate(screenPaths.settingsPage('security'))}>
        {en('Done', 'Listo')}
      </Button>
    </>
  )
}
