import type { Group } from '#contract/groups/groups.ts'
import { en } from '#contract/language.ts'
import { Button } from '#web/ui/button.tsx'
import { useConfirm } from '#web/ui/use-confirm.tsx'
import { useDeclineGroup } from './mutations.ts'

export function DeclineAdminRoleButton({ group }: { group: Group }) {
  const decline = useDeclineGroup(group)
  const { dialog, ask } = useConfirm({
    title: en(
      `Decline to be the admin of ${group.name}?`,
      `¿Rechazar ser la administradora de ${group.name}?`,
    ),
    text: en(
      'You became the admin because the previous one was away. If you decline, she gets the group back if she has returned; otherwise the next member becomes its admin.',
      'Pasaste a ser la administradora porque la anterior no estaba. Si lo rechazas, ella recupera el grupo si ya volvió; si no, pasa a la siguiente integrante.',
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
        {en('Decline admin role', 'Rechazar la administración')}
      </Button>
      {dialog}
    </>
  )
}
