// A request's status.
import { Badge } from '#http/html/parts.tsx'

type RequestStatus = {
  readonly status: number
  readonly code: string | null
  readonly replayed: boolean
}

export const StatusBadge = ({
  request: { status, code, replayed },
}: {
  request: RequestStatus
}) => (
  <>
    <Badge tone={status < 400 ? 'good' : 'bad'}>
      {status}
      {code !== null && <code>{code}</code>}
    </Badge>
    {replayed && <div class="fine">Replayed</div>}
  </>
)
