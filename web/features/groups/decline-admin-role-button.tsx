import type { Group } from '#contract/groups/groups.ts'
import { en } from '#contract/language.ts'
import { Button } from '#web/ui/button.tsx'
import { useConfirm } from '#web/ui/use-confirm.tsx'
import { useDeclineGroup } from './mutations.ts'

export function DeclineAdminRoleButton({ group }: { group: Group }) {
  const decline = useDeclineGroup(group)
  const { dialog, ask } = useConfirm({
    title: en(`Decline ${group.name}?`, `¿Rechazar ${group.name}?`),
    text: en(
      'Its admin was away, so it became yours. If you decline, it returns to its admin if she is back; otherwise it goes to the next member.',
      'Su administradora no estaba y pasó a ser tuyo. Si lo rechazas, vuelve a su administradora si ya está de vuelta; si no, pasa a la siguiente integrante.',
    ),
    confirm: en('Decline', 'Rechazar'),
    cancel: en('Cancel', 'Cancelar'),
  })
  return (
    <>
      <Button
        kind="ghost"
        className="max-md:col-span-2"
        busy={decline.isPending}
        onClick={async () => {
          if (await ask()) decline.mutate()
        }}
      >
        {en('Decline group', 'Rechazar el grupo')}
      </Button>
      {dialog}
    </>
  )
}
