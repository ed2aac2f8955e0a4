import type { Lane } from '../conversations/registry.ts';
import { readTool } from '../read-back/read-tool.ts';
import { memberText, withMembers } from '../requests/request-body.ts';
import type { OpenedRequest } from './open-request.ts';

/** The tools of a request with that of the proxy. */
function toolsOf({ body, dialect, canHaveTool }: OpenedRequest): { tools?: string } {
  const given = canHaveTool ? memberText(body, 'tools') : undefined;
  const tools = given === undefined ? undefined : dialect.withTool(given, readTool);
  return tools === undefined ? {} : { tools };
}

/** What goes out instead of the client's body, if anything. */
export function bodyOf(
  { hasTool }: Pick<Lane, 'hasTool'>,
  opened: OpenedRequest,
  elements: readonly string[] | undefined,
): { body?: string } {
  const changed = {
    ...(hasTool ? toolsOf(opened) : {}),
    ...(elements === undefined ? {} : { [opened.dialect.list]: `[${elements.join(',')}]` }),
  };
  const isChanged = opened.given !== undefined || Object.keys(changed).length > 0;
  return isChanged ? { body: withMembers(opened.body, changed) } : {};
}
