/* eslint-disable -- generated from /openapi.json: CTX_WRITE_CLIENT=1 npx vitest run apps/server/src/client */
// biome-ignore-all format: generated

export interface paths {
    "/api/agents/{agent_id}/context": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Items of one tier, most important first */
        get: {
            parameters: {
                query?: {
                    /** @description `next` of the answer before */
                    cursor?: string;
                    /** @description Most entries, up to 200 */
                    limit?: number;
                    tier?: "HOT" | "WARM" | "COLD";
                };
                header?: never;
                path: {
                    agent_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                "4XX": components["responses"]["Problem"];
                "5XX": components["responses"]["Problem"];
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            items: {
                                content: string;
                                id: string;
                                score: number;
                                /** @enum {string} */
                                tier: "HOT" | "WARM" | "COLD";
                                type: string;
                            }[];
                            /** @description Give it as `cursor` to read on; missing at the end */
                            next?: string;
                            /** @description The records that this page leaves out because they are damaged; missing if none are */
                            unreadable?: {
                                /** @enum {string} */
                                code: "CTX_STORE_CORRUPT";
                                detail: string;
                            }[];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agent_id}/context/flash-save": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Keep a checkpoint, archive what is cold, and say what stays */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description A name of 1 to 200 visible characters, kept for 24 hours */
                    "Idempotency-Key"?: string;
                };
                path: {
                    agent_id: string;
                };
                cookie?: never;
            };
            /** @description May be left out */
            requestBody?: {
                content: {
                    "application/json": Record<string, never> | null;
                };
            };
            responses: {
                "4XX": components["responses"]["Problem"];
                "5XX": components["responses"]["Problem"];
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Where it does not fit: what takes the most room */
                            biggest: {
                                id: string;
                                kind: string;
                                pinned: boolean;
                                tokens: number;
                            }[];
                            /** @description null where there was nothing to save */
                            checkpoint_id: string | null;
                            checkpoints_deleted: number;
                            fits: boolean;
                            hot_items_retained: number;
                            items_archived: number;
                            reduction_percent: number;
                            tokens_after: number;
                            tokens_before: number;
                            /** @description An earlier checkpoint says the same */
                            unchanged: boolean;
                            warm_items_retained: number;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agent_id}/context/save": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Save an item of an agent */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description A name of 1 to 200 visible characters, kept for 24 hours */
                    "Idempotency-Key"?: string;
                };
                path: {
                    agent_id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        content: string;
                        /** @description How important it is now */
                        importance_score?: number;
                        /** @description TASK, CODE, ERROR, TEST_RESULT, PRD_SECTION, … */
                        item_type: string;
                    };
                };
            };
            responses: {
                "4XX": components["responses"]["Problem"];
                "5XX": components["responses"]["Problem"];
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            item_id: string;
                            /** @enum {string} */
                            tier: "HOT" | "WARM" | "COLD";
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agent_id}/context/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Items and tokens of an agent by tier */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    agent_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                "4XX": components["responses"]["Problem"];
                "5XX": components["responses"]["Problem"];
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            cold_count: number;
                            cold_tokens: number;
                            hot_count: number;
                            hot_tokens: number;
                            total_items: number;
                            total_tokens: number;
                            warm_count: number;
                            warm_tokens: number;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the process lives */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                "4XX": components["responses"]["Problem"];
                "5XX": components["responses"]["Problem"];
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            isAlive: true;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Counters and latencies, as Prometheus reads them */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                "4XX": components["responses"]["Problem"];
                "5XX": components["responses"]["Problem"];
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": string;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** This document, OpenAPI 3.1 */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                "4XX": components["responses"]["Problem"];
                "5XX": components["responses"]["Problem"];
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            [key: string]: unknown;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the server can work: store, collections, disk */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                "4XX": components["responses"]["Problem"];
                "5XX": components["responses"]["Problem"];
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Only told to who has a key */
                            checks?: {
                                code?: string;
                                isOk: boolean;
                                name: string;
                            }[];
                            isReady: boolean;
                        };
                    };
                };
                /** @description Default Response */
                503: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Only told to who has a key */
                            checks?: {
                                code?: string;
                                isOk: boolean;
                                name: string;
                            }[];
                            isReady: boolean;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Agents that have items, by id */
        get: {
            parameters: {
                query?: {
                    /** @description `next` of the answer before */
                    cursor?: string;
                    /** @description Most entries, up to 200 */
                    limit?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                "4XX": components["responses"]["Problem"];
                "5XX": components["responses"]["Problem"];
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            agents: string[];
                            /** @description Give it as `cursor` to read on; missing at the end */
                            next?: string;
                            /** @description The records that this page leaves out because they are damaged; missing if none are */
                            unreadable?: {
                                /** @enum {string} */
                                code: "CTX_STORE_CORRUPT";
                                detail: string;
                            }[];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agent}/checkpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Checkpoints of an agent, newest first */
        get: {
            parameters: {
                query?: {
                    /** @description `next` of the answer before */
                    cursor?: string;
                    /** @description Most entries, up to 200 */
                    limit?: number;
                };
                header?: never;
                path: {
                    agent: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                "4XX": components["responses"]["Problem"];
                "5XX": components["responses"]["Problem"];
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            checkpoints: {
                                agentId: string;
                                archived: {
                                    items: number;
                                    tokens: number;
                                };
                                at: string;
                                cold: {
                                    items: number;
                                    tokens: number;
                                };
                                /** @description The newest event of the session's log */
                                event?: number;
                                hot: {
                                    items: number;
                                    tokens: number;
                                };
                                id: string;
                                label?: string;
                                sequence: number;
                                sessionId?: string;
                                /** @enum {string} */
                                trigger: "limit" | "manual" | "before-restore";
                                warm: {
                                    items: number;
                                    tokens: number;
                                };
                            }[];
                            /** @description Give it as `cursor` to read on; missing at the end */
                            next?: string;
                            /** @description The records that this page leaves out because they are damaged; missing if none are */
                            unreadable?: {
                                /** @enum {string} */
                                code: "CTX_STORE_CORRUPT";
                                detail: string;
                            }[];
                        };
                    };
                };
            };
        };
        put?: never;
        /** Flash save, with a session and a label */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description A name of 1 to 200 visible characters, kept for 24 hours */
                    "Idempotency-Key"?: string;
                };
                path: {
                    agent: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        label?: string;
                        sessionId?: string;
                    };
                };
            };
            responses: {
                "4XX": components["responses"]["Problem"];
                "5XX": components["responses"]["Problem"];
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            biggest: {
                                id: string;
                                kind: string;
                                pinned: boolean;
                                tokens: number;
                            }[];
                            checkpointId?: string;
                            checkpointsDeleted: number;
                            fits: boolean;
                            hotItemsRetained: number;
                            itemsArchived: number;
                            reductionPercent: number;
                            /** @description Hot items that stay, most important first */
                            retained: string[];
                            tokensAfter: number;
                            tokensBefore: number;
                            unchanged: boolean;
                            warmItemsRetained: number;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agent}/facts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Facts beyond one session, past ones included, or the facts that answer a query
         * @description Facts of an agent, of a user (the id `@user/<id>`), of a session (`@session/<id>`) or of everybody (`@tenant`).
         */
        get: {
            parameters: {
                query?: {
                    /** @description With q: facts as of this moment */
                    asOf?: string;
                    /** @description `next` of the answer before */
                    cursor?: string;
                    /** @description Most entries, up to 200 */
                    limit?: number;
                    maxTokens?: number;
                    /** @description Only facts that answer this query, best first */
                    q?: string;
                    /** @description With q: also facts of this session */
                    session?: string;
                    /** @description With q: also facts shared by the tenant */
                    tenant?: "true";
                    /** @description With q: also facts about this user */
                    user?: string;
                };
                header?: never;
                path: {
                    agent: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                "4XX": components["responses"]["Problem"];
                "5XX": components["responses"]["Problem"];
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description With q: true if no fact that was found answers it well enough */
                            abstained?: boolean;
                            facts: {
                                address?: string;
                                at?: string;
                                attribute?: string;
                                confidence?: number;
                                id?: string;
                                kind?: string;
                                pinned?: boolean;
                                quote?: string;
                                /** @enum {string} */
                                scope?: "session" | "agent" | "user" | "tenant";
                                score?: number;
                                sessions?: string[];
                                source?: string;
                                subject?: string;
                                text: string;
                                trust?: string;
                                validFrom?: string;
                                validTo?: string;
                            }[];
                            /** @description Give it as `cursor` to read on; missing at the end */
                            next?: string;
                            /** @description The records that this page leaves out because they are damaged; missing if none are */
                            unreadable?: {
                                /** @enum {string} */
                                code: "CTX_STORE_CORRUPT";
                                detail: string;
                            }[];
                        };
                    };
                };
            };
        };
        put?: never;
        /** Keep a fact beyond the session; it ends older facts on the same subject */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description A name of 1 to 200 visible characters, kept for 24 hours */
                    "Idempotency-Key"?: string;
                };
                path: {
                    agent: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        attribute?: string;
                        /** @enum {string} */
                        kind?: "preference" | "constraint" | "identity" | "decision" | "event" | "environment";
                        pinned?: boolean;
                        sessionId?: string;
                        /** @description user, assistant, or a tool or file */
                        source?: string;
                        subject?: string;
                        /** @description Text of the fact whose place it takes */
                        supersedes?: string;
                        text: string;
                        /** @enum {string} */
                        trust?: "trusted" | "derived" | "untrusted";
                        /**
                         * Format: date-time
                         * @description Start of its validity. Default: now
                         */
                        validFrom?: string;
                    };
                };
            };
            responses: {
                "4XX": components["responses"]["Problem"];
                "5XX": components["responses"]["Problem"];
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Facts that it ended */
                            ended: {
                                address?: string;
                                at?: string;
                                attribute?: string;
                                confidence?: number;
                                id?: string;
                                kind?: string;
                                pinned?: boolean;
                                quote?: string;
                                /** @enum {string} */
                                scope?: "session" | "agent" | "user" | "tenant";
                                score?: number;
                                sessions?: string[];
                                source?: string;
                                subject?: string;
                                text: string;
                                trust?: string;
                                validFrom?: string;
                                validTo?: string;
                            }[];
                            fact: {
                                address?: string;
                                at?: string;
                                attribute?: string;
                                confidence?: number;
                                id?: string;
                                kind?: string;
                                pinned?: boolean;
                                quote?: string;
                                /** @enum {string} */
                                scope?: "session" | "agent" | "user" | "tenant";
                                score?: number;
                                sessions?: string[];
                                source?: string;
                                subject?: string;
                                text: string;
                                trust?: string;
                                validFrom?: string;
                                validTo?: string;
                            };
                            /** @description False if the same fact was already valid */
                            isNew: boolean;
                            /** @description The other facts that the text told, such as for another place */
                            more?: {
                                address?: string;
                                at?: string;
                                attribute?: string;
                                confidence?: number;
                                id?: string;
                                kind?: string;
                                pinned?: boolean;
                                quote?: string;
                                /** @enum {string} */
                                scope?: "session" | "agent" | "user" | "tenant";
                                score?: number;
                                sessions?: string[];
                                source?: string;
                                subject?: string;
                                text: string;
                                trust?: string;
                                validFrom?: string;
                                validTo?: string;
                            }[];
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agent}/facts/{fact}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A fact by its id or text, with the history of its subject, oldest first */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    agent: string;
                    fact: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                "4XX": components["responses"]["Problem"];
                "5XX": components["responses"]["Problem"];
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            fact: {
                                address?: string;
                                at?: string;
                                attribute?: string;
                                confidence?: number;
                                id?: string;
                                kind?: string;
                                pinned?: boolean;
                                quote?: string;
                                /** @enum {string} */
                                scope?: "session" | "agent" | "user" | "tenant";
                                score?: number;
                                sessions?: string[];
                                source?: string;
                                subject?: string;
                                text: string;
                                trust?: string;
                                validFrom?: string;
                                validTo?: string;
                            };
                            history: {
                                address?: string;
                                at?: string;
                                attribute?: string;
                                confidence?: number;
                                id?: string;
                                kind?: string;
                                pinned?: boolean;
                                quote?: string;
                                /** @enum {string} */
                                scope?: "session" | "agent" | "user" | "tenant";
                                score?: number;
                                sessions?: string[];
                                source?: string;
                                subject?: string;
                                text: string;
                                trust?: string;
                                validFrom?: string;
                                validTo?: string;
                            }[];
                        };
                    };
                };
            };
        };
        /** Replace a fact; the old one stays readable as past */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    agent: string;
                    fact: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        sessionId?: string;
                        /** @description user, assistant, or a tool or file */
                        source?: string;
                        text: string;
                        /**
                         * Format: date-time
                         * @description Start of its validity. Default: now
                         */
                        validFrom?: string;
                    };
                };
            };
            responses: {
                "4XX": components["responses"]["Problem"];
                "5XX": components["responses"]["Problem"];
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Facts that it ended */
                            ended: {
                                address?: string;
                                at?: string;
                                attribute?: string;
                                confidence?: number;
                                id?: string;
                                kind?: string;
                                pinned?: boolean;
                                quote?: string;
                                /** @enum {string} */
                                scope?: "session" | "agent" | "user" | "tenant";
                                score?: number;
                                sessions?: string[];
                                source?: string;
                                subject?: string;
                                text: string;
                                trust?: string;
                                validFrom?: string;
                                validTo?: string;
                            }[];
                            fact: {
                                address?: string;
                                at?: string;
                                attribute?: string;
                                confidence?: number;
                                id?: string;
                                kind?: string;
                                pinned?: boolean;
                                quote?: string;
                                /** @enum {string} */
                                scope?: "session" | "agent" | "user" | "tenant";
                                score?: number;
                                sessions?: string[];
                                source?: string;
                                subject?: string;
                                text: string;
                                trust?: string;
                                validFrom?: string;
                                validTo?: string;
                            };
                            /** @description False if the same fact was already valid */
                            isNew: boolean;
                            /** @description The other facts that the text told, such as for another place */
                            more?: {
                                address?: string;
                                at?: string;
                                attribute?: string;
                                confidence?: number;
                                id?: string;
                                kind?: string;
                                pinned?: boolean;
                                quote?: string;
                                /** @enum {string} */
                                scope?: "session" | "agent" | "user" | "tenant";
                                score?: number;
                                sessions?: string[];
                                source?: string;
                                subject?: string;
                                text: string;
                                trust?: string;
                                validFrom?: string;
                                validTo?: string;
                            }[];
                        };
                    };
                };
            };
        };
        post?: never;
        /** Destroy a fact, its vector, and its copies in documents and checkpoints */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    agent: string;
                    fact: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                "4XX": components["responses"]["Problem"];
                "5XX": components["responses"]["Problem"];
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            checkpoints: number;
                            compactions: number;
                            notSearched: string[];
                            remaining: {
                                collection: string;
                                deleteWith: string;
                                ownerId: string;
                                records: number;
                            }[];
                            sessions: string[];
                            wasKnown: boolean;
                        };
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agent}/items": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Items of an agent, most important first. Counts as no access */
        get: {
            parameters: {
                query?: {
                    archived?: "true" | "false";
                    /** @description `next` of the answer before */
                    cursor?: string;
                    kind?: string;
                    /** @description Most entries, up to 200 */
                    limit?: number;
                    tier?: "hot" | "warm" | "cold";
                };
                header?: never;
                path: {
                    agent: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                "4XX": components["responses"]["Problem"];
                "5XX": components["responses"]["Problem"];
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            items: {
                                accessCount: number;
                                agentId: string;
                                archived: boolean;
                                content?: string;
                                createdAt: string;
                                fingerprint: string;
                                finishedAt?: string;
                                id: string;
                                importance: number;
                                kind: string;
                                lastAccessedAt: string;
                                pinned: boolean;
                                sessionId?: string;
                                source: string;
                                /** @enum {string} */
                                tier: "hot" | "warm" | "cold";
                                tokens: number;
                                /** @enum {string} */
                                trust: "trusted" | "derived" | "untrusted";
                                updatedAt: string;
                            }[];
                            /** @description Give it as `cursor` to read on; missing at the end */
                            next?: string;
                            /** @description The records that this page leaves out because they are damaged; missing if none are */
                            unreadable?: {
                                /** @enum {string} */
                                code: "CTX_STORE_CORRUPT";
                                detail: string;
                            }[];
                        };
                    };
                };
            };
        };
        put?: never;
        /** Save an item */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description A name of 1 to 200 visible characters, kept for 24 hours */
                    "Idempotency-Key"?: string;
                };
                path: {
                    agent: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        content: string;
                        /** @description The item of this id is replaced */
                        id?: string;
                        importance?: number;
                        kind: string;
                        /** @description Refresh an equal item in place of a second one */
                        once?: boolean;
                        pinned?: boolean;
                        sessionId?: string;
                        source?: string;
                    };
                };
            };
            responses: {
                "4XX": components["responses"]["Problem"];
                "5XX": components["responses"]["Problem"];
                /** @description Default Response */
                201: {
                    headers: {
                        /** @description The version, for conditions */
                        ETag?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            item: {
                                accessCount: number;
                                agentId: string;
                                archived: boolean;
                                content?: string;
                                createdAt: string;
                                fingerprint: string;
                                finishedAt?: string;
                                id: string;
                                importance: number;
                                kind: string;
                                lastAccessedAt: string;
                                pinned: boolean;
                                sessionId?: string;
                                source: string;
                                /** @enum {string} */
                                tier: "hot" | "warm" | "cold";
                                tokens: number;
                                /** @enum {string} */
                                trust: "trusted" | "derived" | "untrusted";
                                updatedAt: string;
                            };
                            /** @enum {string} */
                            outcome: "created" | "replaced" | "refreshed";
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agent}/items/{item}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One item, and why it matters as much as it does. Counts as no access */
        get: {
            parameters: {
                query?: never;
                header?: {
                    /** @description ETags that you have; 304 where one is the present one */
                    "If-None-Match"?: string;
                };
                path: {
                    agent: string;
                    item: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                "4XX": components["responses"]["Problem"];
                "5XX": components["responses"]["Problem"];
                /** @description Default Response */
                200: {
                    headers: {
                        /** @description The version, for conditions */
                        ETag?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            item: {
                                accessCount: number;
                                agentId: string;
                                archived: boolean;
                                content?: string;
                                createdAt: string;
                                fingerprint: string;
                                finishedAt?: string;
                                id: string;
                                importance: number;
                                kind: string;
                                lastAccessedAt: string;
                                pinned: boolean;
                                sessionId?: string;
                                source: string;
                                /** @enum {string} */
                                tier: "hot" | "warm" | "cold";
                                tokens: number;
                                /** @enum {string} */
                                trust: "trusted" | "derived" | "untrusted";
                                updatedAt: string;
                            };
                            why: {
                                ageMs: number;
                                boost: number;
                                cap?: number;
                                decay: number;
                                next?: {
                                    at: string;
                                    /** @enum {string} */
                                    tier: "hot" | "warm" | "cold";
                                };
                                rank: number;
                                weight: number;
                            };
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /** Destroy an item, also what checkpoints keep of it (If-Match) */
        delete: {
            parameters: {
                query?: never;
                header?: {
                    /** @description The ETag that is changed; 428 without it, 412 where it is another one */
                    "If-Match"?: string;
                };
                path: {
                    agent: string;
                    item: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                "4XX": components["responses"]["Problem"];
                "5XX": components["responses"]["Problem"];
                /** @description It is gone */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        options?: never;
        head?: never;
        /** Pin, archive or finish an item, or take that back (If-Match) */
        patch: {
            parameters: {
                query?: never;
                header?: {
                    /** @description The ETag that is changed; 428 without it, 412 where it is another one */
                    "If-Match"?: string;
                };
                path: {
                    agent: string;
                    item: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        archived?: boolean;
                        isFinished?: boolean;
                        pinned?: boolean;
                    };
                };
            };
            responses: {
                "4XX": components["responses"]["Problem"];
                "5XX": components["responses"]["Problem"];
                /** @description Default Response */
                200: {
                    headers: {
                        /** @description The version, for conditions */
                        ETag?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            item: {
                                accessCount: number;
                                agentId: string;
                                archived: boolean;
                                content?: string;
                                createdAt: string;
                                fingerprint: string;
                                finishedAt?: string;
                                id: string;
                                importance: number;
                                kind: string;
                                lastAccessedAt: string;
                                pinned: boolean;
                                sessionId?: string;
                                source: string;
                                /** @enum {string} */
                                tier: "hot" | "warm" | "cold";
                                tokens: number;
                                /** @enum {string} */
                                trust: "trusted" | "derived" | "untrusted";
                                updatedAt: string;
                            };
                        };
                    };
                };
            };
        };
        trace?: never;
    };
    "/v1/agents/{agent}/items/{item}/touch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Count an access */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description A name of 1 to 200 visible characters, kept for 24 hours */
                    "Idempotency-Key"?: string;
                };
                path: {
                    agent: string;
                    item: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                "4XX": components["responses"]["Problem"];
                "5XX": components["responses"]["Problem"];
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            item: {
                                accessCount: number;
                                agentId: string;
                                archived: boolean;
                                content?: string;
                                createdAt: string;
                                fingerprint: string;
                                finishedAt?: string;
                                id: string;
                                importance: number;
                                kind: string;
                                lastAccessedAt: string;
                                pinned: boolean;
                                sessionId?: string;
                                source: string;
                                /** @enum {string} */
                                tier: "hot" | "warm" | "cold";
                                tokens: number;
                                /** @enum {string} */
                                trust: "trusted" | "derived" | "untrusted";
                                updatedAt: string;
                            };
                            /** @enum {string} */
                            tierBefore: "hot" | "warm" | "cold";
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agent}/items/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What became of the items since a sequence number of the live log */
        get: {
            parameters: {
                query: {
                    /** @description `sequence` of the answer before, or of a live event; 0: since the beginning */
                    since: number;
                };
                header?: never;
                path: {
                    agent: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                "4XX": components["responses"]["Problem"];
                "5XX": components["responses"]["Problem"];
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            added: {
                                fingerprint: string;
                                id: string;
                                /** @enum {string} */
                                place: "hot" | "warm" | "cold" | "archived";
                            }[];
                            /** @description Another content */
                            changed: {
                                fingerprint: string;
                                id: string;
                                /** @enum {string} */
                                place: "hot" | "warm" | "cold" | "archived";
                            }[];
                            /** @description Touched, pinned, archived or brought back, or in another tier */
                            moved: {
                                fingerprint: string;
                                id: string;
                                /** @enum {string} */
                                place: "hot" | "warm" | "cold" | "archived";
                            }[];
                            /** @description Ids of items that were deleted */
                            removed: string[];
                            /** @description Give it as `since` the next time */
                            sequence: number;
                            since: number;
                            /** @description Deletions that came in large numbers: the log does not name them */
                            unnamed: number;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agent}/items/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Items by words and quoted phrases. Counts as no access */
        get: {
            parameters: {
                query: {
                    /** @description Whether those in the archive are searched, or the others */
                    archived?: "true" | "false";
                    kind?: string;
                    limit?: number;
                    q: string;
                    tier?: "hot" | "warm" | "cold";
                };
                header?: never;
                path: {
                    agent: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                "4XX": components["responses"]["Problem"];
                "5XX": components["responses"]["Problem"];
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            hits: {
                                item: {
                                    accessCount: number;
                                    agentId: string;
                                    archived: boolean;
                                    content?: string;
                                    createdAt: string;
                                    fingerprint: string;
                                    finishedAt?: string;
                                    id: string;
                                    importance: number;
                                    kind: string;
                                    lastAccessedAt: string;
                                    pinned: boolean;
                                    sessionId?: string;
                                    source: string;
                                    /** @enum {string} */
                                    tier: "hot" | "warm" | "cold";
                                    tokens: number;
                                    /** @enum {string} */
                                    trust: "trusted" | "derived" | "untrusted";
                                    updatedAt: string;
                                };
                                /**
                                 * @description all: all words and quoted phrases; words: all words, but not the phrases as quoted; some: only some of the words
                                 * @enum {string}
                                 */
                                match: "all" | "words" | "some";
                                score: number;
                            }[];
                            isComplete: boolean;
                            /** @description records of an older store that no search finds until their words are taken in */
                            unsearched: number;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agent}/items/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Items and tokens by tier */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    agent: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                "4XX": components["responses"]["Problem"];
                "5XX": components["responses"]["Problem"];
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            archived: {
                                items: number;
                                tokens: number;
                            };
                            items: number;
                            tiers: {
                                items: number;
                                /** @enum {string} */
                                tier: "hot" | "warm" | "cold";
                                tokens: number;
                            }[];
                            tokens: number;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/checkpoints/{checkpoint}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One checkpoint */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    checkpoint: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                "4XX": components["responses"]["Problem"];
                "5XX": components["responses"]["Problem"];
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            agentId: string;
                            archived: {
                                items: number;
                                tokens: number;
                            };
                            at: string;
                            cold: {
                                items: number;
                                tokens: number;
                            };
                            /** @description The newest event of the session's log */
                            event?: number;
                            hot: {
                                items: number;
                                tokens: number;
                            };
                            id: string;
                            label?: string;
                            sequence: number;
                            sessionId?: string;
                            /** @enum {string} */
                            trigger: "limit" | "manual" | "before-restore";
                            warm: {
                                items: number;
                                tokens: number;
                            };
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /** Destroy a checkpoint, and the contents that were kept for it alone */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    checkpoint: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                "4XX": components["responses"]["Problem"];
                "5XX": components["responses"]["Problem"];
                /** @description It is gone */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/checkpoints/{checkpoint}/diff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What became of the items since a checkpoint, or up to another one */
        get: {
            parameters: {
                query?: {
                    /** @description Default: now */
                    to?: string;
                };
                header?: never;
                path: {
                    checkpoint: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                "4XX": components["responses"]["Problem"];
                "5XX": components["responses"]["Problem"];
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            added: {
                                fingerprint: string;
                                id: string;
                                /** @enum {string} */
                                place: "hot" | "warm" | "cold" | "archived";
                            }[];
                            /** @description Another content */
                            changed: {
                                after: {
                                    fingerprint: string;
                                    id: string;
                                    /** @enum {string} */
                                    place: "hot" | "warm" | "cold" | "archived";
                                };
                                before: {
                                    fingerprint: string;
                                    id: string;
                                    /** @enum {string} */
                                    place: "hot" | "warm" | "cold" | "archived";
                                };
                            }[];
                            /** @description Another tier, or archived now, or no longer */
                            moved: {
                                after: {
                                    fingerprint: string;
                                    id: string;
                                    /** @enum {string} */
                                    place: "hot" | "warm" | "cold" | "archived";
                                };
                                before: {
                                    fingerprint: string;
                                    id: string;
                                    /** @enum {string} */
                                    place: "hot" | "warm" | "cold" | "archived";
                                };
                            }[];
                            removed: {
                                fingerprint: string;
                                id: string;
                                /** @enum {string} */
                                place: "hot" | "warm" | "cold" | "archived";
                            }[];
                            unchanged: number;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/checkpoints/{checkpoint}/fork": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Begin a session, or another agent's items, from a checkpoint */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description A name of 1 to 200 visible characters, kept for 24 hours */
                    "Idempotency-Key"?: string;
                };
                path: {
                    checkpoint: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description Default: the same agent */
                        agentId?: string;
                        /** @description Needed where the checkpoint has a session */
                        sessionId?: string;
                    };
                };
            };
            responses: {
                "4XX": components["responses"]["Problem"];
                "5XX": components["responses"]["Problem"];
                /** @description Default Response */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            agentId: string;
                            checkpoint: {
                                agentId: string;
                                archived: {
                                    items: number;
                                    tokens: number;
                                };
                                at: string;
                                cold: {
                                    items: number;
                                    tokens: number;
                                };
                                /** @description The newest event of the session's log */
                                event?: number;
                                hot: {
                                    items: number;
                                    tokens: number;
                                };
                                id: string;
                                label?: string;
                                sequence: number;
                                sessionId?: string;
                                /** @enum {string} */
                                trigger: "limit" | "manual" | "before-restore";
                                warm: {
                                    items: number;
                                    tokens: number;
                                };
                            };
                            /** @description Items that were copied for another agent */
                            items: number;
                            /** @description Items whose content of then is gone for good */
                            missing: string[];
                            /** @description Items that were purged since and would have been copied */
                            purged: number;
                            sessionId?: string;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/checkpoints/{checkpoint}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Bring items, document and window back; the state before is kept */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description A name of 1 to 200 visible characters, kept for 24 hours */
                    "Idempotency-Key"?: string;
                };
                path: {
                    checkpoint: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                "4XX": components["responses"]["Problem"];
                "5XX": components["responses"]["Problem"];
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            checkpoint: {
                                agentId: string;
                                archived: {
                                    items: number;
                                    tokens: number;
                                };
                                at: string;
                                cold: {
                                    items: number;
                                    tokens: number;
                                };
                                /** @description The newest event of the session's log */
                                event?: number;
                                hot: {
                                    items: number;
                                    tokens: number;
                                };
                                id: string;
                                label?: string;
                                sequence: number;
                                sessionId?: string;
                                /** @enum {string} */
                                trigger: "limit" | "manual" | "before-restore";
                                warm: {
                                    items: number;
                                    tokens: number;
                                };
                            };
                            items: {
                                archived: number;
                                contents: number;
                                /** @description Items whose content of then is gone for good */
                                missing: string[];
                                /** @description Items that were purged since; nobody knows what they were called */
                                purged: number;
                                restored: number;
                                unchanged: number;
                            };
                            /** @enum {string} */
                            session: "restored" | "unchanged" | "none";
                            /** @description Restoring this one takes the restore back */
                            undo?: string;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/costs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What sessions cost, newest activity first or in another order; a page may be short and have a next one */
        get: {
            parameters: {
                query?: {
                    /** @description `next` of the answer before */
                    cursor?: string;
                    /** @description Those of a project together */
                    group?: "project";
                    /** @description Most entries, up to 200 */
                    limit?: number;
                    /** @description With `sort`: only those whose id, title or agent holds this, in any case */
                    q?: string;
                    /** @description Among all sessions; without it only those of the page are read */
                    sort?: "time" | "cost" | "fill";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                "4XX": components["responses"]["Problem"];
                "5XX": components["responses"]["Problem"];
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            costs: {
                                /** @description As its own agent sent it; missing where the session is damaged */
                                cost?: {
                                    /** @description Of messages, in all requests together, counted */
                                    carriedTokens: number;
                                    /** @description The same if nothing had been taken out */
                                    everythingTokens: number;
                                    /** @description The most expensive first */
                                    models: {
                                        cachedTokens: number;
                                        /** @description US dollars for a million plain input tokens */
                                        dollarsPerMillion: number;
                                        inputDollars: number;
                                        inputTokens: number;
                                        /** @description Whether this is the list price of the model; else that of a mid-size one of its class */
                                        isOfModel: boolean;
                                        /** @description Missing where no request tells it */
                                        model?: string;
                                        outputDollars: number;
                                        /** @description US dollars for a million output tokens */
                                        outputDollarsPerMillion: number;
                                        outputTokens: number;
                                        /** @description The class of its price, as `ctx replay --price` names it */
                                        price: string;
                                        /** @description When the price was last looked over */
                                        pricesDate: string;
                                        /** @description Requests of which it reported what its cache held */
                                        reportedCaches: number;
                                        /** @description Requests whose input the provider reported; others: estimated */
                                        reportedInputs: number;
                                        reportedOutputs: number;
                                        requests: number;
                                    }[];
                                    /** @description By which the input is cheaper than if every request had carried everything, estimated; missing of what an imported agent sent itself */
                                    savedDollars?: number;
                                    /** @description Of its last request; missing where there is none */
                                    use?: {
                                        freeTokens: number;
                                        /** @description Whether the size of the window is assumed: nothing tells it */
                                        isAssumed: boolean;
                                        parts: {
                                            /** @enum {string} */
                                            part: "system" | "tools" | "fixed" | "summary" | "user" | "assistant" | "calls" | "results" | "other";
                                            tokens: number;
                                        }[];
                                        /** @description Reserved for output */
                                        reserveTokens: number;
                                        /**
                                         * @description window: one that ctx keeps; transcript: what an imported agent showed its model last
                                         * @enum {string}
                                         */
                                        source: "window" | "transcript";
                                        /** @description The sum of all parts */
                                        tokens: number;
                                        windowTokens: number;
                                    };
                                };
                                /** @description With `group` */
                                project?: string;
                                session: {
                                    agentId?: string;
                                    createdAt: string;
                                    id: string;
                                    source?: string;
                                    title?: string;
                                    updatedAt: string;
                                };
                            }[];
                            /** @description Give it as `cursor` to read on; missing at the end */
                            next?: string;
                            /** @description Those of this page, with `group`; the sums are of all their sessions */
                            projects?: {
                                dollars: number;
                                project: string;
                                sessions: number;
                            }[];
                            /** @description Of all sessions that were found, with `sort` */
                            sum?: {
                                /** @description Of messages, in all requests together, counted */
                                carriedTokens: number;
                                /** @description The same if nothing had been taken out */
                                everythingTokens: number;
                                /** @description The most expensive first */
                                models: {
                                    cachedTokens: number;
                                    /** @description US dollars for a million plain input tokens */
                                    dollarsPerMillion: number;
                                    inputDollars: number;
                                    inputTokens: number;
                                    /** @description Whether this is the list price of the model; else that of a mid-size one of its class */
                                    isOfModel: boolean;
                                    /** @description Missing where no request tells it */
                                    model?: string;
                                    outputDollars: number;
                                    /** @description US dollars for a million output tokens */
                                    outputDollarsPerMillion: number;
                                    outputTokens: number;
                                    /** @description The class of its price, as `ctx replay --price` names it */
                                    price: string;
                                    /** @description When the price was last looked over */
                                    pricesDate: string;
                                    /** @description Requests of which it reported what its cache held */
                                    reportedCaches: number;
                                    /** @description Requests whose input the provider reported; others: estimated */
                                    reportedInputs: number;
                                    reportedOutputs: number;
                                    requests: number;
                                }[];
                                /** @description By which the input is cheaper than if every request had carried everything, estimated; missing of what an imported agent sent itself */
                                savedDollars?: number;
                                /** @description Sessions with requests */
                                sessions: number;
                                /** @description Of its last request; missing where there is none */
                                use?: {
                                    freeTokens: number;
                                    /** @description Whether the size of the window is assumed: nothing tells it */
                                    isAssumed: boolean;
                                    parts: {
                                        /** @enum {string} */
                                        part: "system" | "tools" | "fixed" | "summary" | "user" | "assistant" | "calls" | "results" | "other";
                                        tokens: number;
                                    }[];
                                    /** @description Reserved for output */
                                    reserveTokens: number;
                                    /**
                                     * @description window: one that ctx keeps; transcript: what an imported agent showed its model last
                                     * @enum {string}
                                     */
                                    source: "window" | "transcript";
                                    /** @description The sum of all parts */
                                    tokens: number;
                                    windowTokens: number;
                                };
                            };
                            /** @description Sessions that were found, with `sort` */
                            total?: number;
                            /** @description Sessions that are not read yet, with `sort`; ask again until there are none */
                            unread?: number;
                            /** @description The records that this page leaves out because they are damaged; missing if none are */
                            unreadable?: {
                                /** @enum {string} */
                                code: "CTX_STORE_CORRUPT";
                                detail: string;
                            }[];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Import a transcript as a session; the same one again changes nothing */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description A name of 1 to 200 visible characters, kept for 24 hours */
                    "Idempotency-Key"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description The transcript, as it stands in its file */
                        content: string;
                        /**
                         * @description How `content` is written
                         * @default utf8
                         * @enum {string}
                         */
                        encoding?: "utf8" | "base64";
                        /**
                         * @description Default: told from the content
                         * @enum {string}
                         */
                        format?: "ai-sdk-model" | "ai-sdk-ui" | "aider" | "anthropic" | "claude-code" | "cline" | "codex" | "ctx" | "gemini-cli" | "langchain" | "mastra" | "openai-chat" | "openai-responses" | "opencode" | "openhands" | "pi" | "roo" | "session-json" | "swe-agent" | "toolbench";
                        /** @description Tells it from other transcripts, such as the name of its file */
                        name: string;
                        /** @description Default: the id that the transcript gives itself */
                        session?: string;
                    };
                };
            };
            responses: {
                "4XX": components["responses"]["Problem"];
                "5XX": components["responses"]["Problem"];
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            advice?: string;
                            code?: string;
                            events: number;
                            file: string;
                            format?: string;
                            messages: number;
                            outputBytes: number;
                            outputs: number;
                            outputTokens: number;
                            reason?: string;
                            redacted: {
                                [key: string]: number;
                            };
                            repaired: {
                                [key: string]: number;
                            };
                            session?: string;
                            /** @enum {string} */
                            status: "imported" | "continued" | "replaced" | "unchanged" | "skipped" | "failed";
                            unreadable: {
                                [key: string]: number;
                            };
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What the key of this request may do */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                "4XX": components["responses"]["Problem"];
                "5XX": components["responses"]["Problem"];
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description How commands begin; missing: with `ctx` */
                            call?: string;
                            /** @enum {string} */
                            scope: "read" | "write" | "admin";
                            /** @description What `--store` of ctx names; missing: commands find the store without it */
                            store?: string;
                            tenant: string;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Keys of this tenant, oldest first */
        get: {
            parameters: {
                query?: {
                    /** @description `next` of the answer before */
                    cursor?: string;
                    /** @description Most entries, up to 200 */
                    limit?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                "4XX": components["responses"]["Problem"];
                "5XX": components["responses"]["Problem"];
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            keys: {
                                createdAt: string;
                                expiresAt?: string;
                                id: string;
                                label: string;
                                lastUsedDay?: string;
                                requestsPerMinute?: number;
                                revokedAt?: string;
                                /** @enum {string} */
                                scope: "read" | "write" | "admin";
                            }[];
                            /** @description Give it as `cursor` to read on; missing at the end */
                            next?: string;
                            /** @description The records that this page leaves out because they are damaged; missing if none are */
                            unreadable?: {
                                /** @enum {string} */
                                code: "CTX_STORE_CORRUPT";
                                detail: string;
                            }[];
                        };
                    };
                };
            };
        };
        put?: never;
        /** Make a key for this tenant. Its text is told this once */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description A name of 1 to 200 visible characters, kept for 24 hours */
                    "Idempotency-Key"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** Format: date-time */
                        expiresAt?: string;
                        /** @default  */
                        label?: string;
                        /** @description Requests a minute that it may send; missing: what the server allows each key */
                        requestsPerMinute?: number;
                        /** @enum {string} */
                        scope: "read" | "write" | "admin";
                    };
                };
            };
            responses: {
                "4XX": components["responses"]["Problem"];
                "5XX": components["responses"]["Problem"];
                /** @description Default Response */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            key: {
                                createdAt: string;
                                expiresAt?: string;
                                id: string;
                                label: string;
                                lastUsedDay?: string;
                                requestsPerMinute?: number;
                                revokedAt?: string;
                                /** @enum {string} */
                                scope: "read" | "write" | "admin";
                            };
                            text: string;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/keys/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke a key: from the next request on it is refused, and its live connections end */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    key: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                "4XX": components["responses"]["Problem"];
                "5XX": components["responses"]["Problem"];
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            key: {
                                createdAt: string;
                                expiresAt?: string;
                                id: string;
                                label: string;
                                lastUsedDay?: string;
                                requestsPerMinute?: number;
                                revokedAt?: string;
                                /** @enum {string} */
                                scope: "read" | "write" | "admin";
                            };
                        };
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What changes, as it changes: WebSocket, or server-sent events
         * @description A WebSocket sends {"key": "ctx_…", "since": 0} first. Server-sent events need the header.
         */
        get: {
            parameters: {
                query?: {
                    agent?: string;
                    session?: string;
                    /** @description The last event you have */
                    since?: number;
                    /** @description One type, or several: the same as types */
                    type?: ("item-saved" | "item-touched" | "tier-changed" | "item-archived" | "item-deleted" | "facts-updated" | "output-saved" | "output-deleted" | "flash-saved" | "checkpoint-restored" | "session-updated" | "session-deleted" | "window-flushed" | "compaction-committed" | "cache-miss") | ("item-saved" | "item-touched" | "tier-changed" | "item-archived" | "item-deleted" | "facts-updated" | "output-saved" | "output-deleted" | "flash-saved" | "checkpoint-restored" | "session-updated" | "session-deleted" | "window-flushed" | "compaction-committed" | "cache-miss")[];
                    /** @description One type, or several: the same as type */
                    types?: ("item-saved" | "item-touched" | "tier-changed" | "item-archived" | "item-deleted" | "facts-updated" | "output-saved" | "output-deleted" | "flash-saved" | "checkpoint-restored" | "session-updated" | "session-deleted" | "window-flushed" | "compaction-committed" | "cache-miss") | ("item-saved" | "item-touched" | "tier-changed" | "item-archived" | "item-deleted" | "facts-updated" | "output-saved" | "output-deleted" | "flash-saved" | "checkpoint-restored" | "session-updated" | "session-deleted" | "window-flushed" | "compaction-committed" | "cache-miss")[];
                };
                header?: {
                    /** @description The last event you have: goes before since. Server-sent events only */
                    "Last-Event-ID"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                "4XX": components["responses"]["Problem"];
                "5XX": components["responses"]["Problem"];
                /** @description text/event-stream */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": string;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/outputs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Outputs of a session, oldest first */
        get: {
            parameters: {
                query: {
                    /** @description `next` of the answer before */
                    cursor?: string;
                    /** @description Most entries, up to 200 */
                    limit?: number;
                    query?: string;
                    session: string;
                    task?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                "4XX": components["responses"]["Problem"];
                "5XX": components["responses"]["Problem"];
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Give it as `cursor` to read on; missing at the end */
                            next?: string;
                            outputs: {
                                bytes: number;
                                createdAt: string;
                                description: string;
                                fingerprint: string;
                                id: string;
                                lines: number;
                                path?: string;
                                pointer: string;
                                preview: string;
                                queryId?: string;
                                sequence: number;
                                sessionId: string;
                                taskId?: string;
                                tokens: number;
                                toolName: string;
                            }[];
                            /** @description The records that this page leaves out because they are damaged; missing if none are */
                            unreadable?: {
                                /** @enum {string} */
                                code: "CTX_STORE_CORRUPT";
                                detail: string;
                            }[];
                        };
                    };
                };
            };
        };
        put?: never;
        /** Keep what a tool returned */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description A name of 1 to 200 visible characters, kept for 24 hours */
                    "Idempotency-Key"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        args?: unknown;
                        /** @description The provider's id of the call */
                        callId?: string;
                        queryId?: string;
                        result: unknown;
                        sessionId: string;
                        taskId?: string;
                        toolName: string;
                    };
                };
            };
            responses: {
                "4XX": components["responses"]["Problem"];
                "5XX": components["responses"]["Problem"];
                /** @description Default Response */
                201: {
                    headers: {
                        /** @description The version, for conditions */
                        ETag?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            output: {
                                bytes: number;
                                createdAt: string;
                                description: string;
                                fingerprint: string;
                                id: string;
                                lines: number;
                                path?: string;
                                pointer: string;
                                preview: string;
                                queryId?: string;
                                sequence: number;
                                sessionId: string;
                                taskId?: string;
                                tokens: number;
                                toolName: string;
                            };
                            /** @description Secrets that were taken out */
                            redacted: number;
                            /** @description The output of the session that held it already */
                            sameAs?: string;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/outputs/{output}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One output, whole */
        get: {
            parameters: {
                query?: never;
                header?: {
                    /** @description ETags that you have; 304 where one is the present one */
                    "If-None-Match"?: string;
                };
                path: {
                    output: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                "4XX": components["responses"]["Problem"];
                "5XX": components["responses"]["Problem"];
                /** @description Default Response */
                200: {
                    headers: {
                        /** @description The version, for conditions */
                        ETag?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            args: unknown;
                            output: {
                                bytes: number;
                                createdAt: string;
                                description: string;
                                fingerprint: string;
                                id: string;
                                lines: number;
                                path?: string;
                                pointer: string;
                                preview: string;
                                queryId?: string;
                                sequence: number;
                                sessionId: string;
                                taskId?: string;
                                tokens: number;
                                toolName: string;
                            };
                            result: unknown;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/outputs/{output}/text": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A part of an output as text: by lines, by pattern, by path */
        get: {
            parameters: {
                query?: {
                    /** @description Continue with matches after this line */
                    after?: number;
                    /** @description Characters instead of lines, such as 12001-24000; of the members where jsonPath is given */
                    characters?: string;
                    contextLines?: number;
                    /** @description First line, from 1 */
                    from?: number;
                    ignoreCase?: "true" | "false";
                    /** @description A member, such as $.items[0] */
                    jsonPath?: string;
                    /** @description Most characters of an answer to `characters`; default 16,000 */
                    maxCharacters?: number;
                    /** @description Only lines that hold this */
                    pattern?: string;
                    /** @description Whether pattern is a regular expression */
                    regex?: "true" | "false";
                    /** @description Last line */
                    to?: number;
                };
                header?: {
                    /** @description ETags that you have; 304 where one is the present one */
                    "If-None-Match"?: string;
                };
                path: {
                    output: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                "4XX": components["responses"]["Problem"];
                "5XX": components["responses"]["Problem"];
                /** @description Default Response */
                200: {
                    headers: {
                        /** @description The version, for conditions */
                        ETag?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            from?: number;
                            /** @enum {boolean} */
                            hasMore?: true;
                            matches?: {
                                after: string[];
                                again?: number[];
                                before: string[];
                                character?: number;
                                line: number;
                                text: string;
                            }[];
                            nextAfter?: number;
                            nextLine?: number;
                            rest?: string;
                            text: string;
                            to?: number;
                            totalCharacters?: number;
                            totalLines: number;
                            totalMatches?: number;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/outputs/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Outputs by words and quoted phrases of their arguments and results */
        get: {
            parameters: {
                query: {
                    limit?: number;
                    q: string;
                    session?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                "4XX": components["responses"]["Problem"];
                "5XX": components["responses"]["Problem"];
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            hits: {
                                line?: {
                                    /** @description its number, from 1 */
                                    line: number;
                                    /** @description where the words stand in the text: start and end in UTF-16 code units */
                                    marks: [
                                        number,
                                        number
                                    ][];
                                    /**
                                     * @description where the line stands
                                     * @enum {string}
                                     */
                                    of: "result" | "arguments";
                                    /** @description the line, of a long one a part */
                                    text: string;
                                };
                                /**
                                 * @description all: all words and quoted phrases; words: all words, but not the phrases as quoted; some: only some of the words
                                 * @enum {string}
                                 */
                                match: "all" | "words" | "some";
                                output: {
                                    bytes: number;
                                    createdAt: string;
                                    description: string;
                                    fingerprint: string;
                                    id: string;
                                    lines: number;
                                    path?: string;
                                    pointer: string;
                                    preview: string;
                                    queryId?: string;
                                    sequence: number;
                                    sessionId: string;
                                    taskId?: string;
                                    tokens: number;
                                    toolName: string;
                                };
                                score: number;
                            }[];
                            isComplete: boolean;
                            /** @description outputs so long that the words at their end are not found; reading them finds those */
                            partlySearched: number;
                            /** @description records of an older store that no search finds until their words are taken in */
                            unsearched: number;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Sessions, newest activity first */
        get: {
            parameters: {
                query?: {
                    agent?: string;
                    /** @description `next` of the answer before */
                    cursor?: string;
                    /** @description Most entries, up to 200 */
                    limit?: number;
                    /** @description Only those whose id, title or agent holds this, in any case */
                    q?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                "4XX": components["responses"]["Problem"];
                "5XX": components["responses"]["Problem"];
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Give it as `cursor` to read on; missing at the end */
                            next?: string;
                            sessions: {
                                agentId?: string;
                                createdAt: string;
                                id: string;
                                source?: string;
                                title?: string;
                                updatedAt: string;
                            }[];
                            /** @description The records that this page leaves out because they are damaged; missing if none are */
                            unreadable?: {
                                /** @enum {string} */
                                code: "CTX_STORE_CORRUPT";
                                detail: string;
                            }[];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{session}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One session with its document */
        get: {
            parameters: {
                query?: never;
                header?: {
                    /** @description ETags that you have; 304 where one is the present one */
                    "If-None-Match"?: string;
                };
                path: {
                    session: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                "4XX": components["responses"]["Problem"];
                "5XX": components["responses"]["Problem"];
                /** @description Default Response */
                200: {
                    headers: {
                        /** @description The version, for conditions */
                        ETag?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            document: {
                                active_tasks: {
                                    [key: string]: unknown;
                                }[];
                                facts: string[];
                                last_known_environment: {
                                    [key: string]: unknown;
                                };
                                long_term_summary: string;
                                recent_history: ({
                                    content: string;
                                    role: string;
                                    timestamp: number;
                                    token_count?: number;
                                } & {
                                    [key: string]: unknown;
                                })[];
                                session_id: string;
                                system_state: {
                                    [key: string]: unknown;
                                };
                                token_usage: {
                                    by_session: number;
                                    total_input: number;
                                    total_output: number;
                                } & {
                                    [key: string]: unknown;
                                };
                                tool_stats: {
                                    by_tool: {
                                        [key: string]: number;
                                    };
                                    failures: number;
                                    total_calls: number;
                                } & {
                                    [key: string]: unknown;
                                };
                            } & {
                                [key: string]: unknown;
                            };
                            session: {
                                agentId?: string;
                                createdAt: string;
                                id: string;
                                source?: string;
                                title?: string;
                                updatedAt: string;
                            };
                            version: number;
                        };
                    };
                };
            };
        };
        /** Replace the document (If-Match), or begin a session (If-None-Match: *) */
        put: {
            parameters: {
                query?: never;
                header?: {
                    /** @description The ETag that is changed; 428 without it, 412 where it is another one */
                    "If-Match"?: string;
                    /** @description ETags that you have; 304 where one is the present one */
                    "If-None-Match"?: string;
                };
                path: {
                    session: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        agentId?: string;
                        document: {
                            active_tasks: {
                                [key: string]: unknown;
                            }[];
                            facts: string[];
                            last_known_environment: {
                                [key: string]: unknown;
                            };
                            long_term_summary: string;
                            recent_history: ({
                                content: string;
                                role: string;
                                timestamp: number;
                                token_count?: number;
                            } & {
                                [key: string]: unknown;
                            })[];
                            session_id: string;
                            system_state: {
                                [key: string]: unknown;
                            };
                            token_usage: {
                                by_session: number;
                                total_input: number;
                                total_output: number;
                            } & {
                                [key: string]: unknown;
                            };
                            tool_stats: {
                                by_tool: {
                                    [key: string]: number;
                                };
                                failures: number;
                                total_calls: number;
                            } & {
                                [key: string]: unknown;
                            };
                        } & {
                            [key: string]: unknown;
                        };
                        title?: string;
                    };
                };
            };
            responses: {
                "4XX": components["responses"]["Problem"];
                "5XX": components["responses"]["Problem"];
                /** @description Default Response */
                200: {
                    headers: {
                        /** @description The version, for conditions */
                        ETag?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            document: {
                                active_tasks: {
                                    [key: string]: unknown;
                                }[];
                                facts: string[];
                                last_known_environment: {
                                    [key: string]: unknown;
                                };
                                long_term_summary: string;
                                recent_history: ({
                                    content: string;
                                    role: string;
                                    timestamp: number;
                                    token_count?: number;
                                } & {
                                    [key: string]: unknown;
                                })[];
                                session_id: string;
                                system_state: {
                                    [key: string]: unknown;
                                };
                                token_usage: {
                                    by_session: number;
                                    total_input: number;
                                    total_output: number;
                                } & {
                                    [key: string]: unknown;
                                };
                                tool_stats: {
                                    by_tool: {
                                        [key: string]: number;
                                    };
                                    failures: number;
                                    total_calls: number;
                                } & {
                                    [key: string]: unknown;
                                };
                            } & {
                                [key: string]: unknown;
                            };
                            session: {
                                agentId?: string;
                                createdAt: string;
                                id: string;
                                source?: string;
                                title?: string;
                                updatedAt: string;
                            };
                            version: number;
                        };
                    };
                };
                /** @description Default Response */
                201: {
                    headers: {
                        /** @description The version, for conditions */
                        ETag?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            document: {
                                active_tasks: {
                                    [key: string]: unknown;
                                }[];
                                facts: string[];
                                last_known_environment: {
                                    [key: string]: unknown;
                                };
                                long_term_summary: string;
                                recent_history: ({
                                    content: string;
                                    role: string;
                                    timestamp: number;
                                    token_count?: number;
                                } & {
                                    [key: string]: unknown;
                                })[];
                                session_id: string;
                                system_state: {
                                    [key: string]: unknown;
                                };
                                token_usage: {
                                    by_session: number;
                                    total_input: number;
                                    total_output: number;
                                } & {
                                    [key: string]: unknown;
                                };
                                tool_stats: {
                                    by_tool: {
                                        [key: string]: number;
                                    };
                                    failures: number;
                                    total_calls: number;
                                } & {
                                    [key: string]: unknown;
                                };
                            } & {
                                [key: string]: unknown;
                            };
                            session: {
                                agentId?: string;
                                createdAt: string;
                                id: string;
                                source?: string;
                                title?: string;
                                updatedAt: string;
                            };
                            version: number;
                        };
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change members of a session (If-Match) */
        patch: {
            parameters: {
                query?: never;
                header?: {
                    /** @description The ETag that is changed; 428 without it, 412 where it is another one */
                    "If-Match"?: string;
                };
                path: {
                    session: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        agentId?: string | null;
                        /** @description Members that take the place of those of the document */
                        document?: {
                            active_tasks?: {
                                [key: string]: unknown;
                            }[];
                            facts?: string[];
                            last_known_environment?: {
                                [key: string]: unknown;
                            };
                            long_term_summary?: string;
                            system_state?: {
                                [key: string]: unknown;
                            };
                        };
                        title?: string | null;
                    };
                };
            };
            responses: {
                "4XX": components["responses"]["Problem"];
                "5XX": components["responses"]["Problem"];
                /** @description Default Response */
                200: {
                    headers: {
                        /** @description The version, for conditions */
                        ETag?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            document: {
                                active_tasks: {
                                    [key: string]: unknown;
                                }[];
                                facts: string[];
                                last_known_environment: {
                                    [key: string]: unknown;
                                };
                                long_term_summary: string;
                                recent_history: ({
                                    content: string;
                                    role: string;
                                    timestamp: number;
                                    token_count?: number;
                                } & {
                                    [key: string]: unknown;
                                })[];
                                session_id: string;
                                system_state: {
                                    [key: string]: unknown;
                                };
                                token_usage: {
                                    by_session: number;
                                    total_input: number;
                                    total_output: number;
                                } & {
                                    [key: string]: unknown;
                                };
                                tool_stats: {
                                    by_tool: {
                                        [key: string]: number;
                                    };
                                    failures: number;
                                    total_calls: number;
                                } & {
                                    [key: string]: unknown;
                                };
                            } & {
                                [key: string]: unknown;
                            };
                            session: {
                                agentId?: string;
                                createdAt: string;
                                id: string;
                                source?: string;
                                title?: string;
                                updatedAt: string;
                            };
                            version: number;
                        };
                    };
                };
            };
        };
        trace?: never;
    };
    "/v1/sessions/{session}/compactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Compactions of a session, newest first */
        get: {
            parameters: {
                query?: {
                    /** @description `next` of the answer before */
                    cursor?: string;
                    /** @description Most entries, up to 200 */
                    limit?: number;
                };
                header?: never;
                path: {
                    session: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                "4XX": components["responses"]["Problem"];
                "5XX": components["responses"]["Problem"];
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            compactions: {
                                at: string;
                                sequence: number;
                                /** @enum {string} */
                                state: "applied" | "undone";
                                strategy: string;
                                tokensAfter: number;
                                tokensBefore: number;
                                trigger: string;
                            }[];
                            /** @description Give it as `cursor` to read on; missing at the end */
                            next?: string;
                            /** @description The records that this page leaves out because they are damaged; missing if none are */
                            unreadable?: {
                                /** @enum {string} */
                                code: "CTX_STORE_CORRUPT";
                                detail: string;
                            }[];
                        };
                    };
                };
            };
        };
        put?: never;
        /** Put a summary in the place of the history's oldest entries */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description A name of 1 to 200 visible characters, kept for 24 hours */
                    "Idempotency-Key"?: string;
                };
                path: {
                    session: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /**
                         * @description Only where a compaction is due
                         * @default false
                         */
                        ifDue?: boolean;
                        /** @default false */
                        isDryRun?: boolean;
                        keepEntries?: number;
                        maxTokens?: number;
                        summaryTokens?: number;
                    };
                };
            };
            responses: {
                "4XX": components["responses"]["Problem"];
                "5XX": components["responses"]["Problem"];
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            compaction?: {
                                at: string;
                                sequence: number;
                                /** @enum {string} */
                                state: "applied" | "undone";
                                strategy: string;
                                tokensAfter: number;
                                tokensBefore: number;
                                trigger: string;
                            };
                            entries?: number;
                            fits?: boolean;
                            keeps?: number;
                            /** @enum {string} */
                            outcome: "nothing" | "planned" | "compacted";
                            /** @description Why nothing was done */
                            reason?: string;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{session}/compactions/{compaction}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What one compaction did: before and after */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    compaction: number;
                    session: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                "4XX": components["responses"]["Problem"];
                "5XX": components["responses"]["Problem"];
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The same members as the compaction left them */
                            after: {
                                [key: string]: unknown;
                            };
                            /** @description Members of the document as they were */
                            before: {
                                [key: string]: unknown;
                            };
                            compaction: {
                                at: string;
                                sequence: number;
                                /** @enum {string} */
                                state: "applied" | "undone";
                                strategy: string;
                                tokensAfter: number;
                                tokensBefore: number;
                                trigger: string;
                            };
                            factsDropped: string[];
                            keptEntries: number;
                            offloaded: {
                                entry: {
                                    [key: string]: unknown;
                                };
                                index: number;
                                outputId: string;
                            }[];
                            summarised: {
                                entry: {
                                    [key: string]: unknown;
                                };
                                index: number;
                            }[];
                            summary: string;
                            tasksPruned: {
                                [key: string]: unknown;
                            }[];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{session}/compactions/{compaction}/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Take the newest compaction back */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description A name of 1 to 200 visible characters, kept for 24 hours */
                    "Idempotency-Key"?: string;
                };
                path: {
                    compaction: number;
                    session: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                "4XX": components["responses"]["Problem"];
                "5XX": components["responses"]["Problem"];
                /** @description Default Response */
                200: {
                    headers: {
                        /** @description The version, for conditions */
                        ETag?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            restored: number;
                            version: number;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{session}/context": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What the model sees now: sizes by form, and the messages themselves */
        get: {
            parameters: {
                query?: {
                    messages?: "true" | "false";
                    /** @description Of an imported session: as ctx would have sent it in this mode, or as its own agent did; others have one window */
                    mode?: "default" | "thrifty" | "evidence" | "recorded";
                    /** @description Default: as the session tells, as in all other answers */
                    windowTokens?: number;
                };
                header?: never;
                path: {
                    session: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                "4XX": components["responses"]["Problem"];
                "5XX": components["responses"]["Problem"];
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description System prompt and tools; the rest is in forms */
                            fixedTokens: number;
                            forms: {
                                form: string;
                                segments: number;
                                tokensAfter: number;
                                tokensBefore: number;
                            }[];
                            limitTokens: number;
                            messages?: {
                                [key: string]: unknown;
                            }[];
                            /** @description As the provider counts, with fixedTokens */
                            tokens: number;
                            /** @description With everything as it came */
                            tokensWhole: number;
                            windowTokens: number;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{session}/cost": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What the requests cost by model, input and output, and what they did not carry */
        get: {
            parameters: {
                query?: {
                    /** @description Of an imported session: as ctx would have sent it in this mode, or as its own agent did; others have one window */
                    mode?: "default" | "thrifty" | "evidence" | "recorded";
                };
                header?: never;
                path: {
                    session: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                "4XX": components["responses"]["Problem"];
                "5XX": components["responses"]["Problem"];
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Of messages, in all requests together, counted */
                            carriedTokens: number;
                            /** @description The same if nothing had been taken out */
                            everythingTokens: number;
                            /** @description The most expensive first */
                            models: {
                                cachedTokens: number;
                                /** @description US dollars for a million plain input tokens */
                                dollarsPerMillion: number;
                                inputDollars: number;
                                inputTokens: number;
                                /** @description Whether this is the list price of the model; else that of a mid-size one of its class */
                                isOfModel: boolean;
                                /** @description Missing where no request tells it */
                                model?: string;
                                outputDollars: number;
                                /** @description US dollars for a million output tokens */
                                outputDollarsPerMillion: number;
                                outputTokens: number;
                                /** @description The class of its price, as `ctx replay --price` names it */
                                price: string;
                                /** @description When the price was last looked over */
                                pricesDate: string;
                                /** @description Requests of which it reported what its cache held */
                                reportedCaches: number;
                                /** @description Requests whose input the provider reported; others: estimated */
                                reportedInputs: number;
                                reportedOutputs: number;
                                requests: number;
                            }[];
                            /** @description By which the input is cheaper than if every request had carried everything, estimated; missing of what an imported agent sent itself */
                            savedDollars?: number;
                            /** @description Of its last request; missing where there is none */
                            use?: {
                                freeTokens: number;
                                /** @description Whether the size of the window is assumed: nothing tells it */
                                isAssumed: boolean;
                                parts: {
                                    /** @enum {string} */
                                    part: "system" | "tools" | "fixed" | "summary" | "user" | "assistant" | "calls" | "results" | "other";
                                    tokens: number;
                                }[];
                                /** @description Reserved for output */
                                reserveTokens: number;
                                /**
                                 * @description window: one that ctx keeps; transcript: what an imported agent showed its model last
                                 * @enum {string}
                                 */
                                source: "window" | "transcript";
                                /** @description The sum of all parts */
                                tokens: number;
                                windowTokens: number;
                            };
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{session}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The log of a session, in order */
        get: {
            parameters: {
                query?: {
                    /** @description First place, from 0 */
                    from?: number;
                    /** @description Most entries, up to 200 */
                    limit?: number;
                };
                header?: never;
                path: {
                    session: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                "4XX": components["responses"]["Problem"];
                "5XX": components["responses"]["Problem"];
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            events: {
                                at: string;
                                payload: unknown;
                                sequence: number;
                                tokens: number;
                                type: string;
                            }[];
                            /** @description Give it as `from` to read on */
                            next?: number;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{session}/facts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Facts of a session */
        get: {
            parameters: {
                query?: never;
                header?: {
                    /** @description ETags that you have; 304 where one is the present one */
                    "If-None-Match"?: string;
                };
                path: {
                    session: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                "4XX": components["responses"]["Problem"];
                "5XX": components["responses"]["Problem"];
                /** @description Default Response */
                200: {
                    headers: {
                        /** @description The version, for conditions */
                        ETag?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            facts: {
                                address?: string;
                                at?: string;
                                attribute?: string;
                                confidence?: number;
                                id?: string;
                                kind?: string;
                                pinned?: boolean;
                                quote?: string;
                                /** @enum {string} */
                                scope?: "session" | "agent" | "user" | "tenant";
                                score?: number;
                                sessions?: string[];
                                source?: string;
                                subject?: string;
                                text: string;
                                trust?: string;
                                validFrom?: string;
                                validTo?: string;
                            }[];
                        };
                    };
                };
            };
        };
        put?: never;
        /** State a fact, or let it take the place of another */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description A name of 1 to 200 visible characters, kept for 24 hours */
                    "Idempotency-Key"?: string;
                };
                path: {
                    session: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        pinned?: boolean;
                        /** @description user, assistant, or a tool or file */
                        source?: string;
                        /** @description Text of the fact whose place it takes */
                        supersedes?: string;
                        text: string;
                        /** @enum {string} */
                        trust?: "trusted" | "derived" | "untrusted";
                    };
                };
            };
            responses: {
                "4XX": components["responses"]["Problem"];
                "5XX": components["responses"]["Problem"];
                /** @description Default Response */
                200: {
                    headers: {
                        /** @description The version, for conditions */
                        ETag?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            added: boolean;
                            sameAs?: string;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{session}/heat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What calls and results took over all requests, by file and by tool */
        get: {
            parameters: {
                query?: {
                    /** @description Of an imported session: as ctx would have sent it in this mode, or as its own agent did; others have one window */
                    mode?: "default" | "thrifty" | "evidence" | "recorded";
                };
                header?: never;
                path: {
                    session: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                "4XX": components["responses"]["Problem"];
                "5XX": components["responses"]["Problem"];
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Calls that show or change one file; the 500 that were carried most */
                            files: {
                                calls: number;
                                /** @description In all requests together */
                                carriedTokens: number;
                                /** @description Results whose text had come before from the same tool */
                                duplicates: number;
                                duplicateTokens: number;
                                /** @description The first request that could carry it, from 1 */
                                first?: number;
                                /** @description As they are shown now */
                                inViewTokens: number;
                                name: string;
                                /** @description Calls that read it */
                                reads: number;
                                /** @description Calls and results as they came */
                                tokens: number;
                            }[];
                            filesLeftOut: number;
                            requests: number;
                            tools: {
                                calls: number;
                                /** @description In all requests together */
                                carriedTokens: number;
                                /** @description Results whose text had come before from the same tool */
                                duplicates: number;
                                duplicateTokens: number;
                                /** @description The first request that could carry it, from 1 */
                                first?: number;
                                /** @description As they are shown now */
                                inViewTokens: number;
                                name: string;
                                /** @description Calls that read it */
                                reads: number;
                                /** @description Calls and results as they came */
                                tokens: number;
                            }[];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{session}/hints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Near the limit, the same cache break again, one file read often, a pinned text lost */
        get: {
            parameters: {
                query?: {
                    /** @description Of an imported session: as ctx would have sent it in this mode, or as its own agent did; others have one window */
                    mode?: "default" | "thrifty" | "evidence" | "recorded";
                };
                header?: never;
                path: {
                    session: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                "4XX": components["responses"]["Problem"];
                "5XX": components["responses"]["Problem"];
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            hints: ({
                                /** @enum {string} */
                                kind: "near-limit";
                                limitTokens: number;
                                request: number;
                                tokens: number;
                            } | {
                                /** @description As the timeline names it, or unknown */
                                cause: string;
                                /** @description What that cost more than reading them from the cache */
                                dollars: number;
                                /** @description Whether a provider reported what its cache held */
                                isReported: boolean;
                                /** @enum {string} */
                                kind: "cache-breaks";
                                /** @description The last of them */
                                request: number;
                                times: number;
                                /** @description Sent before, and paid again */
                                tokens: number;
                            } | {
                                file: string;
                                /** @enum {string} */
                                kind: "repeated-reads";
                                /** @description Whole reads */
                                times: number;
                                /** @description Of all reads after the first, as they came */
                                tokens: number;
                                /** @description Of these: with a text that had been read before */
                                unchanged: number;
                            } | {
                                item: string;
                                /** @enum {string} */
                                kind: "lost-pinned";
                                segment: number;
                                /** @description Of the piece that held it */
                                tokens: number;
                            })[];
                            leftOut: number;
                            pricesDate: string;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{session}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The messages of a session as they came, whatever left the view */
        get: {
            parameters: {
                query?: {
                    /** @description First place, from 0 */
                    from?: number;
                    /** @description Most entries, up to 200 */
                    limit?: number;
                };
                header?: never;
                path: {
                    session: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                "4XX": components["responses"]["Problem"];
                "5XX": components["responses"]["Problem"];
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            messages: {
                                index: number;
                                /** @description Of an imported session: main, or a sub-agent */
                                lane?: string;
                                message: {
                                    [key: string]: unknown;
                                };
                            }[];
                            /** @description Give it as `from` to read on */
                            next?: number;
                        };
                    };
                };
            };
        };
        put?: never;
        /** Append to the document's recent history */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description A name of 1 to 200 visible characters, kept for 24 hours */
                    "Idempotency-Key"?: string;
                };
                path: {
                    session: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        messages: {
                            content: string;
                            role: string;
                            /** @description Seconds since the epoch; default: now */
                            timestamp?: number;
                            /** @description Default: counted */
                            token_count?: number;
                            tool_call_id?: string;
                            tool_calls?: {
                                [key: string]: unknown;
                            }[];
                        }[];
                    };
                };
            };
            responses: {
                "4XX": components["responses"]["Problem"];
                "5XX": components["responses"]["Problem"];
                /** @description Default Response */
                201: {
                    headers: {
                        /** @description The version, for conditions */
                        ETag?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            entries: number;
                            version: number;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{session}/prepare": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Messages in, the request that fits out, for agents in any language
         * @description Send the whole conversation, or its end with `from`. Messages only get added.
         */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description A name of 1 to 200 visible characters, kept for 24 hours */
                    "Idempotency-Key"?: string;
                };
                path: {
                    session: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        agentId?: string;
                        /**
                         * @description Default: told from the messages
                         * @enum {string}
                         */
                        format?: "ai-sdk-model" | "ai-sdk-ui" | "anthropic" | "langchain" | "mastra" | "openai-chat" | "openai-responses";
                        /**
                         * @description Place in the conversation of the first message, system prompts not counted; for what is new, `receipt.total` of the answer before. 409 where the messages fit one place before too: one would be kept twice
                         * @default 0
                         */
                        from?: number;
                        messages: {
                            [key: string]: unknown;
                        }[];
                        /** @enum {string} */
                        mode?: "default" | "thrifty" | "evidence";
                        model?: string;
                        /** @description Where it does not stand among the messages */
                        system?: string;
                        tools?: {
                            [key: string]: unknown;
                        }[];
                        /** @description What the provider reported of the request before */
                        usage?: {
                            cachedTokens?: number;
                            /** @description Written to the cache for an hour */
                            hourTokens?: number;
                            /** @description All of the input, with what was read from a cache */
                            inputTokens: number;
                            outputTokens?: number;
                        };
                        /** @description Default: that of the model, 128,000 for one that is not known; without a model 200,000 */
                        windowTokens?: number;
                    };
                };
            };
            responses: {
                "4XX": components["responses"]["Problem"];
                "5XX": components["responses"]["Problem"];
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {string} */
                            format: "ai-sdk-model" | "ai-sdk-ui" | "anthropic" | "langchain" | "mastra" | "openai-chat" | "openai-responses";
                            /** @description What to send */
                            messages: {
                                [key: string]: unknown;
                            }[];
                            receipt: {
                                /** @description Messages that the session did not have yet */
                                added: number;
                                fits: boolean;
                                /** @description What was removed for this request */
                                flush?: {
                                    afterTokens: number;
                                    beforeTokens: number;
                                    cause: string;
                                    edits: number;
                                };
                                limitTokens: number;
                                /** @description What the format has no place for */
                                losses: {
                                    [key: string]: number;
                                };
                                /** @description Secrets that were taken out */
                                redacted: number;
                                /** @description The event of the log that stands for this request */
                                sequence: number;
                                /** @description Estimate of the request, with system prompt and tools */
                                tokens: number;
                                /** @description Messages that it has now, system prompts not counted: the next `from` */
                                total: number;
                            };
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{session}/replays": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Replay an imported session as ctx would have sent it, so that its views answer at once; watch it with the id */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description A name of 1 to 200 visible characters, kept for 24 hours */
                    "Idempotency-Key"?: string;
                };
                path: {
                    session: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /**
                         * @description Of an imported session: as ctx would have sent it in this mode, or as its own agent did; others have one window
                         * @default default
                         * @enum {string}
                         */
                        mode?: "default" | "thrifty" | "evidence" | "recorded";
                    };
                };
            };
            responses: {
                "4XX": components["responses"]["Problem"];
                "5XX": components["responses"]["Problem"];
                /** @description Default Response */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Why it failed */
                            detail?: string;
                            /** @description Of this watch: others may share the replay */
                            id: string;
                            /** @enum {string} */
                            state: "running" | "done" | "failed" | "cancelled";
                            step: number;
                            /** @description 0 while the session is read, and where there is nothing to replay */
                            steps: number;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{session}/replays/{replay}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How far the replay of an imported session is */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    replay: string;
                    session: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                "4XX": components["responses"]["Problem"];
                "5XX": components["responses"]["Problem"];
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Why it failed */
                            detail?: string;
                            /** @description Of this watch: others may share the replay */
                            id: string;
                            /** @enum {string} */
                            state: "running" | "done" | "failed" | "cancelled";
                            step: number;
                            /** @description 0 while the session is read, and where there is nothing to replay */
                            steps: number;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /** Stop watching a replay; it is cancelled unless others need it */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    replay: string;
                    session: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                "4XX": components["responses"]["Problem"];
                "5XX": components["responses"]["Problem"];
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Why it failed */
                            detail?: string;
                            /** @description Of this watch: others may share the replay */
                            id: string;
                            /** @enum {string} */
                            state: "running" | "done" | "failed" | "cancelled";
                            step: number;
                            /** @description 0 while the session is read, and where there is nothing to replay */
                            steps: number;
                        };
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{session}/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The requests of a session: their size, what was removed for each, what the cache held */
        get: {
            parameters: {
                query?: {
                    /** @description First request */
                    from?: number;
                    limit?: number;
                    /** @description Of an imported session: as ctx would have sent it in this mode, or as its own agent did; others have one window */
                    mode?: "default" | "thrifty" | "evidence" | "recorded";
                };
                header?: never;
                path: {
                    session: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                "4XX": components["responses"]["Problem"];
                "5XX": components["responses"]["Problem"];
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Present where the session was imported: the answer is what ctx would have sent, unless `mode` says otherwise */
                            imported?: {
                                /** @description Messages that its own agent had taken out before */
                                messagesAside: number;
                            };
                            /** @description Give it as `from` to read on */
                            next?: number;
                            requests: {
                                /** @description Missing where the transcript tells no time */
                                at?: string;
                                /** @description Why it held less than the request before */
                                cause?: string;
                                compaction?: {
                                    afterTokens: number;
                                    beforeTokens: number;
                                };
                                /** @description As ctx had estimated it, where the provider reported another size */
                                estimatedTokens?: number;
                                /** @description What was removed for it */
                                flush?: {
                                    afterTokens: number;
                                    beforeTokens: number;
                                    cause: string;
                                    edits: number;
                                };
                                /** @enum {boolean} */
                                isAfterRewind?: true;
                                limitTokens: number;
                                /** @description Place in the log of the message that answers it */
                                messages: number;
                                model?: string;
                                /** @description From 1 */
                                number: number;
                                /** @description As the provider reported it */
                                outputTokens?: number;
                                /** @description What the cache was expected to hold of it */
                                predictedTokens: number;
                                /** @description Calls before it that read back what is stored */
                                readBacks?: number;
                                /** @description What the provider reported; missing where sizes are estimated */
                                reported?: {
                                    cachedTokens?: number;
                                    /** @description Written to the cache for an hour */
                                    hourTokens?: number;
                                    inputTokens: number;
                                };
                                /** @description The event of the log that stands for it */
                                sequence: number;
                                /** @description As the provider reported it, else as ctx estimated it */
                                tokens: number;
                                windowTokens: number;
                            }[];
                            total: number;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{session}/requests/{number}/diff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What a request adds, changes and removes; where the cached prefix broke, and its price */
        get: {
            parameters: {
                query?: {
                    /** @description Most characters of each text */
                    characters?: number;
                    /** @description First piece */
                    from?: number;
                    limit?: number;
                    /** @description Of an imported session: as ctx would have sent it in this mode, or as its own agent did; others have one window */
                    mode?: "default" | "thrifty" | "evidence" | "recorded";
                };
                header?: never;
                path: {
                    number: number;
                    session: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                "4XX": components["responses"]["Problem"];
                "5XX": components["responses"]["Problem"];
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            cache: {
                                /** @description What the cache was expected to hold of it */
                                expectedTokens: number;
                                findings: {
                                    cause: string;
                                    /** @description The first part that differs, from a little before its first differing character */
                                    change?: {
                                        after: string;
                                        before: string;
                                        path: string;
                                    };
                                    dollars: number;
                                    fix: string;
                                    /** @description What changes, where it always does */
                                    kinds?: string[];
                                    /** @description Sent before, and paid again */
                                    tokens: number;
                                    /** @description What that cost, in tokens at the plain price */
                                    ute: number;
                                }[];
                                /** @description Where the request stops being the one before; missing where it only adds */
                                firstChange?: {
                                    /** @description In the text of the piece, from 0 */
                                    byte: number;
                                    /** @enum {string} */
                                    kind: "user" | "assistant" | "call" | "result" | "other";
                                    /** @description Before it: what a cache can answer */
                                    prefixTokens: number;
                                    segment: number;
                                    toolName?: string;
                                };
                                /** @description What each token costs more that the cache lacked */
                                missed: {
                                    dollars: number;
                                    ute: number;
                                };
                                price: string;
                                pricesDate: string;
                                /** @description What the provider says that it held */
                                reportedTokens?: number;
                            };
                            fixedAfter: number;
                            /** @description Of them system prompt and tools; the pieces are the rest */
                            fixedBefore: number;
                            /** @description Give it as `from` to read on */
                            next?: number;
                            /** @description The request, from 2 */
                            number: number;
                            /** @description The largest first, by change */
                            pieces: {
                                /** @description What this one shows */
                                after?: string;
                                /** @description What the request before showed of it */
                                before?: string;
                                /** @enum {string} */
                                change: "added" | "changed" | "removed";
                                /** @enum {string} */
                                kind: "user" | "assistant" | "call" | "result" | "other";
                                /** @description Where the original is read */
                                pointer: string;
                                segment: number;
                                /** @description Of what this one shows */
                                tokensAfter: number;
                                /** @description Of what the request before showed */
                                tokensBefore: number;
                                toolName?: string;
                                /** @description Why it is shown as it is now */
                                why: string;
                            }[];
                            sums: {
                                /** @enum {string} */
                                change: "added" | "changed" | "removed" | "kept";
                                pieces: number;
                                tokensAfter: number;
                                tokensBefore: number;
                            }[];
                            tokensAfter: number;
                            /** @description Of the request before */
                            tokensBefore: number;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{session}/rewind": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Bring the view after an event back; the log goes on, so this can be undone */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description A name of 1 to 200 visible characters, kept for 24 hours */
                    "Idempotency-Key"?: string;
                };
                path: {
                    session: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description The event, such as that of a request before a flush */
                        to: number;
                    };
                };
            };
            responses: {
                "4XX": components["responses"]["Problem"];
                "5XX": components["responses"]["Problem"];
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            leftEvents: number;
                            /** @description In view now */
                            messages: number;
                            /** @description The event that says so */
                            sequence: number;
                            to: number;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{session}/share": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A session or one request as an HTML file of at most 5 MB that opens without a server, secrets taken out */
        get: {
            parameters: {
                query?: {
                    /** @description The request; default: the session as it stands */
                    at?: number;
                    /** @description Of an imported session: as ctx would have sent it in this mode, or as its own agent did; others have one window */
                    mode?: "default" | "thrifty" | "evidence" | "recorded";
                };
                header?: never;
                path: {
                    session: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                "4XX": components["responses"]["Problem"];
                "5XX": components["responses"]["Problem"];
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": string;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{session}/tasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Tasks of a session */
        get: {
            parameters: {
                query?: never;
                header?: {
                    /** @description ETags that you have; 304 where one is the present one */
                    "If-None-Match"?: string;
                };
                path: {
                    session: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                "4XX": components["responses"]["Problem"];
                "5XX": components["responses"]["Problem"];
                /** @description Default Response */
                200: {
                    headers: {
                        /** @description The version, for conditions */
                        ETag?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            tasks: {
                                description: string;
                                id: string;
                                isOver: boolean;
                                progress?: number;
                                status: string;
                                updatedAt?: string;
                            }[];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{session}/tasks/{task}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Begin or change a task */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    session: string;
                    task: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        description?: string;
                        progress?: number;
                        status?: string;
                    };
                };
            };
            responses: {
                "4XX": components["responses"]["Problem"];
                "5XX": components["responses"]["Problem"];
                /** @description Default Response */
                200: {
                    headers: {
                        /** @description The version, for conditions */
                        ETag?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            tasks: {
                                description: string;
                                id: string;
                                isOver: boolean;
                                progress?: number;
                                status: string;
                                updatedAt?: string;
                            }[];
                        };
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{session}/use": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Where the tokens of the last request went, also of an imported session */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    session: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                "4XX": components["responses"]["Problem"];
                "5XX": components["responses"]["Problem"];
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Missing where no request is known */
                            use?: {
                                freeTokens: number;
                                /** @description Whether the size of the window is assumed: nothing tells it */
                                isAssumed: boolean;
                                parts: {
                                    /** @enum {string} */
                                    part: "system" | "tools" | "fixed" | "summary" | "user" | "assistant" | "calls" | "results" | "other";
                                    tokens: number;
                                }[];
                                /** @description Reserved for output */
                                reserveTokens: number;
                                /**
                                 * @description window: one that ctx keeps; transcript: what an imported agent showed its model last
                                 * @enum {string}
                                 */
                                source: "window" | "transcript";
                                /** @description The sum of all parts */
                                tokens: number;
                                windowTokens: number;
                            };
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{session}/view": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The request as the model saw it, at any step, with the reason of each segment */
        get: {
            parameters: {
                query?: {
                    /** @description The request; default: as it stands */
                    at?: number;
                    /** @description Most characters of the text of each segment; 0: sizes alone */
                    characters?: number;
                    /** @description Only segments whose whole text holds this, in any case */
                    find?: string;
                    /** @description First segment of those found */
                    from?: number;
                    /** @description Only so many segments, the largest first, and the sums of all by tool */
                    largest?: number;
                    /** @description Most segments; fewer where they would take over 250 KB; default: all */
                    limit?: number;
                    /** @description No segment of a message before this one */
                    message?: number;
                    /** @description Of an imported session: as ctx would have sent it in this mode, or as its own agent did; others have one window */
                    mode?: "default" | "thrifty" | "evidence" | "recorded";
                    /** @description A request that the caller has: only segments that differ from it */
                    since?: number;
                };
                header?: never;
                path: {
                    session: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                "4XX": components["responses"]["Problem"];
                "5XX": components["responses"]["Problem"];
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description What fixedTokens consists of, tools by name; missing where only the sum is known */
                            fixed?: {
                                system: number;
                                readonly tools: {
                                    name: string;
                                    tokens: number;
                                }[];
                                /** @description Tools beyond the first 200, or without a name */
                                unnamed?: {
                                    tokens: number;
                                    tools: number;
                                };
                            };
                            /** @description System prompt and tools */
                            fixedTokens: number;
                            /** @description Present where the session was imported: the answer is what ctx would have sent, unless `mode` says otherwise */
                            imported?: {
                                /** @description Messages that its own agent had taken out before */
                                messagesAside: number;
                            };
                            kinds: {
                                /** @enum {string} */
                                kind: "user" | "assistant" | "call" | "result" | "other";
                                segments: number;
                                tokensAfter: number;
                                tokensBefore: number;
                            }[];
                            limitTokens: number;
                            /** @description Give it as `from` to read on; missing at the end */
                            next?: number;
                            /** @description The request, from 1; the next one where it is not made yet */
                            number: number;
                            requests: number;
                            /** @description Tokens of the provider for each that ctx counts: what all sizes of parts here were multiplied by */
                            scale: number;
                            segments: {
                                cause?: string;
                                form: string;
                                /** @enum {string} */
                                kind: "user" | "assistant" | "call" | "result" | "other";
                                /** @description Place of its message in the log */
                                message: number;
                                /** @description Missing where it is shown as it came */
                                original?: string;
                                /** @description Where the original is read */
                                pointer: string;
                                segment: number;
                                /** @description Missing where nothing is shown */
                                shown?: string;
                                /** @description As it is shown */
                                tokensAfter: number;
                                /** @description As it came */
                                tokensBefore: number;
                                toolName?: string;
                                /** @description Of the kind other: thinking, image … */
                                what?: string;
                                why: string;
                            }[];
                            /** @description What stands for the oldest messages */
                            summary?: string;
                            /** @description As the provider reported it of the request, else estimated: all segments and fixedTokens together */
                            tokens: number;
                            /** @description With `largest`: what calls and results take */
                            tools?: {
                                calls: number;
                                name: string;
                                /** @description What its pieces lost */
                                removed: number;
                                /** @description In view */
                                tokensAfter: number;
                            }[];
                            windowTokens: number;
                            /** @description Segments that only the view of `since` has */
                            readonly without?: number[];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{session}/view/{segment}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One segment of a request, whole: as it was shown and as it came */
        get: {
            parameters: {
                query?: {
                    /** @description The request; default: as it stands */
                    at?: number;
                    /** @description Of an imported session: as ctx would have sent it in this mode, or as its own agent did; others have one window */
                    mode?: "default" | "thrifty" | "evidence" | "recorded";
                };
                header?: never;
                path: {
                    segment: number;
                    session: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                "4XX": components["responses"]["Problem"];
                "5XX": components["responses"]["Problem"];
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            cause?: string;
                            form: string;
                            /** @enum {string} */
                            kind: "user" | "assistant" | "call" | "result" | "other";
                            /** @description Place of its message in the log */
                            message: number;
                            /** @description Missing where it is shown as it came */
                            original?: string;
                            /** @description Where the original is read */
                            pointer: string;
                            segment: number;
                            /** @description Missing where nothing is shown */
                            shown?: string;
                            /** @description As it is shown */
                            tokensAfter: number;
                            /** @description As it came */
                            tokensBefore: number;
                            toolName?: string;
                            /** @description Of the kind other: thinking, image … */
                            what?: string;
                            why: string;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{session}/what-if": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Replay a session under policies in the background, as `ctx replay` does */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description A name of 1 to 200 visible characters, kept for 24 hours */
                    "Idempotency-Key"?: string;
                };
                path: {
                    session: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /**
                         * @default [
                         *       "none",
                         *       "recipe",
                         *       "ctx",
                         *       "ctx-thrifty",
                         *       "ctx-evidence"
                         *     ]
                         */
                        policies?: ("none" | "classic" | "offload" | "sliding" | "batch" | "recipe" | "recipe-70k" | "recipe-50k" | "compact-at-limit" | "ctx" | "ctx-thrifty" | "ctx-evidence" | "ctx-proxy")[];
                        /**
                         * @default anthropic-5m
                         * @enum {string}
                         */
                        price?: "anthropic-5m" | "anthropic-1h" | "openai" | "openai-5.6" | "gemini" | "deepseek";
                        /** @default 200000 */
                        windowTokens?: number;
                    };
                };
            };
            responses: {
                "4XX": components["responses"]["Problem"];
                "5XX": components["responses"]["Problem"];
                /** @description Default Response */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Why it failed */
                            detail?: string;
                            id: string;
                            /** @description Once it is done */
                            policies?: {
                                dollars: number;
                                /** @description Edits whose old text stood in an earlier tool result */
                                edits: number;
                                /** @description Of these: its text was in the request */
                                editsInView: number;
                                /** @description Share of the input that the cache answers, 0…1 */
                                hitRate: number;
                                inputTokens: number;
                                /** @description Requests that a provider would refuse */
                                invalid: number;
                                /** @description What the session had cost by a request, at most 200 points */
                                line: {
                                    dollars: number;
                                    request: number;
                                }[];
                                outputs: number;
                                /** @description Of these: read back byte for byte from view or pointer */
                                outputsRecoverable: number;
                                outputTokens: number;
                                /** @description Requests larger than the window */
                                overWindow: number;
                                /** @description Largest request */
                                peakTokens: number;
                                policy: string;
                                /** @description Requests for which something that had been sent was paid again */
                                prefixBreaks: number;
                                requests: number;
                            }[];
                            price: string;
                            pricesDate: string;
                            /** @enum {string} */
                            state: "running" | "done" | "failed" | "cancelled";
                            step: number;
                            /** @description 0 while the session is read */
                            steps: number;
                            /** @description Where the times of the requests come from: transcript, or 20 s a step */
                            times?: string;
                            windowTokens: number;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{session}/what-if/{run}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How far a replay is, and what it found */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    run: string;
                    session: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                "4XX": components["responses"]["Problem"];
                "5XX": components["responses"]["Problem"];
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Why it failed */
                            detail?: string;
                            id: string;
                            /** @description Once it is done */
                            policies?: {
                                dollars: number;
                                /** @description Edits whose old text stood in an earlier tool result */
                                edits: number;
                                /** @description Of these: its text was in the request */
                                editsInView: number;
                                /** @description Share of the input that the cache answers, 0…1 */
                                hitRate: number;
                                inputTokens: number;
                                /** @description Requests that a provider would refuse */
                                invalid: number;
                                /** @description What the session had cost by a request, at most 200 points */
                                line: {
                                    dollars: number;
                                    request: number;
                                }[];
                                outputs: number;
                                /** @description Of these: read back byte for byte from view or pointer */
                                outputsRecoverable: number;
                                outputTokens: number;
                                /** @description Requests larger than the window */
                                overWindow: number;
                                /** @description Largest request */
                                peakTokens: number;
                                policy: string;
                                /** @description Requests for which something that had been sent was paid again */
                                prefixBreaks: number;
                                requests: number;
                            }[];
                            price: string;
                            pricesDate: string;
                            /** @enum {string} */
                            state: "running" | "done" | "failed" | "cancelled";
                            step: number;
                            /** @description 0 while the session is read */
                            steps: number;
                            /** @description Where the times of the requests come from: transcript, or 20 s a step */
                            times?: string;
                            windowTokens: number;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /** Stop a replay; one that is over stays as it is */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    run: string;
                    session: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                "4XX": components["responses"]["Problem"];
                "5XX": components["responses"]["Problem"];
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Why it failed */
                            detail?: string;
                            id: string;
                            /** @description Once it is done */
                            policies?: {
                                dollars: number;
                                /** @description Edits whose old text stood in an earlier tool result */
                                edits: number;
                                /** @description Of these: its text was in the request */
                                editsInView: number;
                                /** @description Share of the input that the cache answers, 0…1 */
                                hitRate: number;
                                inputTokens: number;
                                /** @description Requests that a provider would refuse */
                                invalid: number;
                                /** @description What the session had cost by a request, at most 200 points */
                                line: {
                                    dollars: number;
                                    request: number;
                                }[];
                                outputs: number;
                                /** @description Of these: read back byte for byte from view or pointer */
                                outputsRecoverable: number;
                                outputTokens: number;
                                /** @description Requests larger than the window */
                                overWindow: number;
                                /** @description Largest request */
                                peakTokens: number;
                                policy: string;
                                /** @description Requests for which something that had been sent was paid again */
                                prefixBreaks: number;
                                requests: number;
                            }[];
                            price: string;
                            pricesDate: string;
                            /** @enum {string} */
                            state: "running" | "done" | "failed" | "cancelled";
                            step: number;
                            /** @description 0 while the session is read */
                            steps: number;
                            /** @description Where the times of the requests come from: transcript, or 20 s a step */
                            times?: string;
                            windowTokens: number;
                        };
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{session}/why": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Why each part is or is not in the window, and where it can be read */
        get: {
            parameters: {
                query?: {
                    /** @description First segment */
                    from?: number;
                    limit?: number;
                    /** @description Of an imported session: as ctx would have sent it in this mode, or as its own agent did; others have one window */
                    mode?: "default" | "thrifty" | "evidence" | "recorded";
                };
                header?: never;
                path: {
                    session: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                "4XX": components["responses"]["Problem"];
                "5XX": components["responses"]["Problem"];
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Give it as `from` to read on */
                            next?: number;
                            segments: {
                                cause?: string;
                                form: string;
                                /** @description Place of its message in the log */
                                message: number;
                                /** @description Where the original is read */
                                pointer: string;
                                segment: number;
                                /** @description As it is shown */
                                tokensAfter: number;
                                /** @description As it came */
                                tokensBefore: number;
                                why: string;
                            }[];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What the store of this tenant holds */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                "4XX": components["responses"]["Problem"];
                "5XX": components["responses"]["Problem"];
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            backend: string;
                            live: {
                                newest: number;
                                oldest: number;
                            };
                            outputs: {
                                bytes: number;
                                count: number;
                                tokens: number;
                            };
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Check every record of this tenant; nothing is changed */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description A name of 1 to 200 visible characters, kept for 24 hours */
                    "Idempotency-Key"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                "4XX": components["responses"]["Problem"];
                "5XX": components["responses"]["Problem"];
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            findings: {
                                collection: string;
                                key: string[];
                                kind: string;
                                repair?: string;
                                repaired?: string;
                                what: string;
                            }[];
                            gone: {
                                contents: number;
                                results: number;
                            };
                            left: number;
                            problems: number;
                            records: number;
                            repaired: {
                                mended: number;
                                quarantined: number;
                                removed: number;
                            };
                            tenants: number;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Problem: {
            advice?: string;
            code?: string;
            detail?: string;
            errors?: {
                detail: string;
                pointer: string;
            }[];
            status: number;
            title: string;
            type: string;
        };
    };
    responses: {
        /** @description What went wrong */
        Problem: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
