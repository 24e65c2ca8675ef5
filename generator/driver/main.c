typedef int sg_placeholder;
