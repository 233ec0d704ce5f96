import { Copy, Download, Printer, ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { screenPaths } from '#web/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { toast } from '#web/ui/toast/toast-store.ts'
import { SettingsNote } from './settings-box.tsx'

type Props = { codes: readonly string[]; justTurnedOn?: boolean }

/** Shows recovery codes, this one time: they are copied, saved or printed before the page is left. */
export function RecoveryCodes({ codes, justTurnedOn = false }: Props) {
  const [kept, setKept] = useState(false)
  const navigate = useNavigate()
  const text = `Juntas\n\n${codes.join('\n')}\n`

  async function copy() {
    await navigator.clipboard.writeText(text)
    toast({ text: 'Copied.' })
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
          <b className="font-[650]">Two steps are on.</b> From now on a password alone opens nothing.
        </SettingsNote>
      )}
      <section aria-label="Recovery codes" className="card mb-4 p-5">
        <h2 className="heading text-lead">Keep these where you will find them without your phone</h2>
        <p className="mt-1 mb-3.5 text-pretty text-label text-text-2">
          Each works once, in place of the code. We show them this one time and keep only their hashes.
        </p>
        <ul className="grid grid-cols-2 gap-x-4 gap-y-2 rounded-photo bg-sunken px-5 py-4 font-[650] tabular-nums">
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <div className="mt-4 flex flex-wrap gap-2.5">
          <Button kind="soft" onClick={copy}>
            <Copy aria-hidden size={18} strokeWidth={1.9} />
            Copy
          </Button>
          <Button kind="soft" onClick={save}>
            <Download aria-hidden size={18} strokeWidth={1.9} />
            Save as text
          </Button>
          <Button kind="soft" onClick={() => window.print()}>
            <Printer aria-hidden size={18} strokeWidth={1.9} />
            Print
          </Button>
        </div>
      </section>
      <label className="mx-1 mb-4 flex min-h-11 items-center gap-3 font-[620]">
        <input
          type="checkbox"
          checked={kept}
          onChange={({ target }) => setKept(target.checked)}
          className="size-5.5 flex-none accent-brand"
        />
        I have kept them
      </label>
      <Button disabled={!kept} onClick={() => navigate(screenPaths.settingsPage('security'))}>
        Done
      </Button>
    </>
  )
}
